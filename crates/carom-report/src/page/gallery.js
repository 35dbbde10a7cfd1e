for (const button of document.querySelectorAll(".play")) {
  button.addEventListener("click", () => {
    const image = button.parentElement.querySelector("img");
    const playing = button.getAttribute("aria-pressed") === "true";
    const { name } = button.dataset;
    image.src = playing ? `${name}.png` : `${name}.gif`;
    button.setAttribute("aria-pressed", String(!playing));
    button.setAttribute("aria-label", `${playing ? "Play" : "Stop"} ${image.alt}`);
    button.textContent = playing ? "\u25b6" : "\u25a0";
  });
}
