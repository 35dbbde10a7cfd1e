//! Every statement of a source has its words, every one that does not agree its cause, and carom's own stand apart.

use carom_reproduce::{ALL, Cause, Context, QUOTES, Record, Source, Verdict, WITHOUT, run_all};

#[test]
fn statements_have_words_and_causes() {
    let experiments: Vec<_> = ALL.iter().collect();
    let reports = run_all(&experiments, &Context { fast: true }, 2, |_| {});
    let mut used = vec![false; QUOTES.len()];
    let mut without = vec![false; WITHOUT.len()];
    let mut causes = [0; 4];
    for report in &reports {
        let e = report.experiment;
        let outcome = report.result.as_ref().unwrap_or_else(|t| panic!("{}: {t}", e.name));
        let record = Record::of(report);
        let found = record.result.expect("a result");
        for (claim, shown) in outcome.claims.iter().zip(&found.claims) {
            if claim.verdict() == Verdict::Agrees {
                assert_eq!(claim.cause(), None, "{claim}");
            } else {
                let (cause, words) = claim.cause().expect("a cause");
                assert!(words.len() > 10, "{}: {claim}", e.name);
                causes[Cause::ALL.iter().position(|c| *c == cause).unwrap()] += 1;
            }
            // Those of comparisons beyond the papers are all our own.
            assert!(claim.own || e.source != Source::Beyond, "{claim}");
            if claim.own {
                assert_eq!((&shown.quote, &shown.pages), (&None, &None));
                continue;
            }
            let fits = |s: Source, start: &str| s == e.source && claim.statement.starts_with(start);
            let quote = QUOTES.iter().position(|(s, start, _)| fits(*s, start));
            let bare = WITHOUT.iter().position(|(s, start)| fits(*s, start));
            assert!(quote.is_some() != bare.is_some(), "{}: {}", e.name, claim.statement);
            assert_eq!(shown.quote.is_some(), quote.is_some());
            // A sentence, no more.
            assert!(shown.quote.as_ref().is_none_or(|q| q.len() < 200), "{:?}", shown.quote);
            quote.into_iter().for_each(|k| used[k] = true);
            bare.into_iter().for_each(|k| without[k] = true);
            // Theses have pages.
            if matches!(e.source, Source::Morgan | Source::Flickinger) {
                assert!(shown.pages.is_some(), "{}: {}", e.name, claim.place);
            }
        }
    }
    for (used, (_, start, _)) in used.iter().zip(QUOTES) {
        assert!(used, "the quotation for `{start}` is not used");
    }
    for (used, (_, start)) in without.iter().zip(WITHOUT) {
        assert!(used, "no statement begins with `{start}`");
    }
    assert!(causes.iter().all(|n| *n > 0), "{causes:?}");
}

/// Statements that were once decided from one value of what the text leaves open, labelled wrongly or tested weakly, with
/// what the whole scan says of each: verdict and cause of the reproduction that is kept.
const JUDGED_ANEW: [(&str, &str, &str, &str); 25] = [
    ("flickinger-pendulum", "The total energy rises at two impacts or more", "agrees", ""),
    (
        "flickinger-pendulum",
        "Besides that of the second impact there is one gain",
        "differs",
        "open",
    ),
    ("flickinger-pendulum", "A gain of energy can make", "not decidable", "our reading"),
    ("flickinger-pendulum", "All estimated normal forces push", "not decidable", "our reading"),
    (
        "flickinger-pendulum",
        "Each rebound leaves about half of the kinetic energy. e* =",
        "agrees",
        "",
    ),
    ("flickinger-pendulum-control", "No later impact gains", "not decidable", "some values only"),
    ("flickinger-bicycle-energy", "Some impacts gain energy", "not decidable", "some values only"),
    ("flickinger-bicycle-energy", "The wheels roll at constant speed", "agrees", ""),
    ("flickinger-bicycle-energy", "The tangential forces are about zero", "agrees", ""),
    ("flickinger-bicycle-wedge", "About half of the kinetic energy is lost at each", "agrees", ""),
    ("flickinger-bicycle-wedge", "With e = 0.25 it slides", "not decidable", "some values only"),
    (
        "flickinger-feasibility",
        "On slopes a region of the slips",
        "not decidable",
        "some values only",
    ),
    ("flickinger-oblique", "On level ground it settles", "not decidable", "some values only"),
    ("flickinger-oblique", "The steeper the slope", "not decidable", "some values only"),
    ("flickinger-oblique", "Wherever a wheel slips", "not decidable", "some values only"),
    ("flickinger-leg-sample", "Some postures are so hard to integrate", "differs", "our reading"),
    ("flickinger-leg-jumps", "Both postures stand with the foot on the ground", "agrees", ""),
    ("flickinger-leg-jumps", "The optimised posture has more", "not decidable", "some values only"),
    ("flickinger-leg-geometry", "In the guess the line from the foot", "differs", "open"),
    (
        "flickinger-leg-geometry",
        "From the guess the body rises",
        "not decidable",
        "some values only",
    ),
    ("flickinger-leg-geometry", "From the guess the torques", "not decidable", "some values only"),
    (
        "flickinger-leg-geometry",
        "From the guess the body moves",
        "not decidable",
        "some values only",
    ),
    (
        "flickinger-leg-geometry",
        "From the optimised posture the body rises",
        "not decidable",
        "some values only",
    ),
    (
        "flickinger-leg-geometry",
        "From the optimised posture the path",
        "not decidable",
        "some values only",
    ),
    ("hurmuzlu-procedure", "The procedure identifies the solution", "differs", "source in error"),
];

#[test]
fn unstated_values_decide_nothing() {
    let kept = carom_testing::root().join("experiments/verdicts.csv");
    let kept = std::fs::read_to_string(kept).unwrap();
    for (experiment, start, verdict, cause) in JUDGED_ANEW {
        let lines: Vec<&str> = kept
            .lines()
            .filter(|l| {
                l.starts_with(&format!("{experiment},")) && l.contains(&format!("\"{start}"))
            })
            .collect();
        assert_eq!(lines.len(), 1, "{experiment}: {start}");
        assert!(lines[0].contains(&format!(",{verdict},{cause},\"")), "{}", lines[0]);
    }
}
