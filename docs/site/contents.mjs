// What the site holds, in the order of its menu. A chapter is a file of docs/, a module whose header is a chapter of the
// theory manual, or a page that carom makes.

/** A chapter of docs/, under its own name. */
const text = (file, title) => ({ kind: "text", file: `docs/${file}.md`, out: `${file}.html`, title });
/** The header of a module of carom. */
const law = (path, title) => ({ kind: "header", file: `crates/carom/src/${path}.rs`, out: `theory_${path.replace(/\/mod$/, "").replaceAll("/", "_")}.html`, title });
const made = (out, title) => ({ kind: "made", out, title });

export const LESSONS = ["ball", "cradle", "ladder", "rocking_block", "superball"];

export const CONTENTS = [
  { part: "Begin", chapters: [{ kind: "text", file: "README.md", out: "index.html", title: "carom" }, text("tutorial", "First minutes")] },
  { part: "Tutorials", chapters: [text("viewer", "Reports and the viewer"), text("studies", "Studies"), text("python", "Python"), text("lessons", "Lessons: predict, then run")] },
  { part: "Gallery", chapters: [made("gallery/index.html", "All scenes"), ...LESSONS.map((name) => made(`lessons/${name}.html`, `Lesson: ${name.replaceAll("_", " ")}`))] },
  { part: "Reference", chapters: [text("scenes", "Scenes"), text("robots", "Robots"), text("runs", "Runs on disk"), text("plots", "Plots"), text("agility", "Agility")] },
  {
    part: "Theory manual", chapters: [
      text("theory", "From bodies to events"),
      law("coulomb/mod", "The Coulomb problem"), law("hybrid/flow", "The flow"), law("hybrid/guards", "Guards"), law("hybrid/modes", "Modes after an event"),
      law("hybrid/projection", "Projection"), law("hybrid/accumulation", "Accumulating impacts"), law("hybrid/jam", "Jams"), law("hybrid/step", "The time step that carries over"),
      law("impact/mod", "Impacts: one problem, many laws"), law("impact/restitution", "Restitution"), law("impact/differential/mod", "Differential law"), law("impact/spatial/mod", "One contact in space"),
      law("impact/compliant/mod", "Compliant law"), law("impact/newton", "Newton's law"), law("impact/poisson", "Poisson's law"), law("impact/whittaker", "Whittaker's law"), law("impact/brach", "Brach's law"),
      law("impact/constraint/mod", "Constraint law"), law("impact/restitution_matrix/mod", "Restitution matrix"), law("impact/dissipation/mod", "Dissipation principle"),
      law("impact/energy_control", "Energy control"), law("impact/sequence", "One impact after another"),
    ],
  },
  { part: "Trust", chapters: [text("coverage", "What of the papers is here"), text("performance", "Performance"), { kind: "text", file: "ARCHITECTURE.md", out: "architecture.html", title: "Architecture" }, { kind: "text", file: "CHANGELOG.md", out: "changelog.html", title: "Changes" }] },
];

export const chapters = () => CONTENTS.flatMap(({ part, chapters: list }) => list.map((chapter) => ({ ...chapter, part })));
