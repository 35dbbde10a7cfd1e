// Search without a server: the index is a script, because pages on disk may not read other files.
(() => {
  const [field, list, menu, button] = ["search", "found", "menu", "menu-button"].map((id) => document.getElementById(id));
  let index = null;
  let asked = false;
  window.caromSearch = (entries) => {
    index = entries;
    show();
  };
  const load = () => {
    if (asked) return;
    asked = true;
    document.head.append(Object.assign(document.createElement("script"), { src: "search.json.js" }));
  };
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0 || !index;
    if (list.hidden) return;
    const rank = ({ title, text }) => words.reduce((sum, word) => {
      const at = text.toLowerCase().indexOf(word);
      return at < 0 ? -Infinity : sum + (at < 60 ? 3 : 1) + (title.toLowerCase().includes(word) ? 2 : 0);
    }, 0);
    const found = index.map((entry) => ({ entry, score: rank(entry) })).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).slice(0, 12);
    list.replaceChildren(...found.map(({ entry }) => {
      const [item, link, text] = ["li", "a", "p"].map((tag) => document.createElement(tag));
      const at = Math.max(0, entry.text.toLowerCase().indexOf(words[0]) - 40);
      Object.assign(link, { href: entry.href, textContent: entry.title });
      text.textContent = `${at > 0 ? "… " : ""}${entry.text.slice(at, at + 140)} …`;
      item.append(link, text);
      return item;
    }));
    if (found.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  };
  field.addEventListener("focus", load);
  field.addEventListener("input", () => {
    load();
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      show();
    }
  });
  button.addEventListener("click", () => button.setAttribute("aria-expanded", String(menu.classList.toggle("open"))));
})();
