"""A live widget for notebooks: sliders on values of a scene, the page of the run below (needs anywidget)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._optional import need

if TYPE_CHECKING:
    from ._control import Law
    from ._scene import Scene

_ESM = """
function render({ model, el }) {
  const table = document.createElement("div");
  table.style.cssText = "display:grid;grid-template-columns:max-content 1fr max-content;gap:4px 12px;align-items:center;max-width:640px";
  const ranges = model.get("ranges");
  const moves = [];
  for (const path of Object.keys(ranges)) {
    const [low, high] = ranges[path];
    const label = document.createElement("label");
    const slider = document.createElement("input");
    const shown = document.createElement("output");
    label.textContent = path;
    slider.id = label.htmlFor = `carom-${Math.random().toString(36).slice(2)}`;
    // No notches: a slider stands at the very value of the scene.
    Object.assign(slider, { type: "range", min: low, max: high, step: "any" });
    const tell = (value) => { shown.textContent = Number(value).toPrecision(4); };
    const move = () => { slider.value = model.get("values")[path]; tell(model.get("values")[path]); };
    slider.addEventListener("input", () => tell(slider.value));
    slider.addEventListener("change", () => {
      model.set("values", { ...model.get("values"), [path]: Number(slider.value) });
      model.save_changes();
    });
    move();
    moves.push(move);
    table.append(label, slider, shown);
  }
  model.on("change:values", () => moves.forEach((move) => move()));
  const fault = document.createElement("pre");
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.style.cssText = "box-sizing:border-box;width:100%;height:640px;border:1px solid #ccc;border-radius:6px";
  const show = () => { frame.srcdoc = model.get("page"); };
  const tell = () => { fault.textContent = model.get("fault"); fault.hidden = !fault.textContent; };
  model.on("change:page", show);
  model.on("change:fault", tell);
  show();
  tell();
  el.append(table, fault, frame);
}
export default { render };
"""


def widget(
    scene: Scene,
    sliders: Mapping[str, tuple[float, float]],
    *,
    until: float | None = None,
    law: Law | None = None,
) -> Any:
    """Sliders on values of a scene, with the page of the run below, which follows them.

    Parameters
    ----------
    scene : Scene
        The scene.
    sliders : mapping of str to pair of float
        Values by their path with least and largest value, such as ``{"contact.0.restitution": (0, 1)}``.
    until, law
        As in :meth:`Scene.run`.

    Returns
    -------
    anywidget.AnyWidget
        With ``values``, to be read and set, and ``run``, the last run.
    """
    need("anywidget", "carom.widget")
    import anywidget
    import traitlets

    ranges = _ranges(sliders)

    class Live(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
        _esm = _ESM
        ranges = traitlets.Dict().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)
        page = traitlets.Unicode().tag(sync=True)
        fault = traitlets.Unicode().tag(sync=True)
        run: Any = None

        @traitlets.observe("values")  # type: ignore[misc,unused-ignore]
        def _follow(self, _: Any = None) -> None:
            from ._errors import CaromError

            try:
                self.run = scene.run(until=until, law=law, set=self.values)
                self.page, self.fault = self.run.html(), ""
            except CaromError as error:
                self.fault = str(error)

    # A slider stands where its scene does, or in the middle.
    stated = {path: _stated(scene, path) for path in ranges}
    start = {
        path: x if x is not None and low <= x <= high else 0.5 * (low + high)
        for (path, (low, high)), x in zip(ranges.items(), stated.values())
    }
    live = Live(ranges=ranges)
    live.values = start
    return live


def _ranges(sliders: Mapping[str, tuple[float, float]]) -> dict[str, list[float]]:
    """Least and largest value of each slider, checked."""
    if not isinstance(sliders, Mapping):
        raise TypeError(f"sliders must map paths to pairs of numbers, not be a {type(sliders).__name__}")
    ranges = {}
    for path, pair in sliders.items():
        if not isinstance(path, str):
            raise TypeError(f"a slider is called by the path of its value, not by {path!r}")
        try:
            low, high = (float(x) for x in pair)
        except (TypeError, ValueError):
            raise ValueError(f"the slider of {path} needs its least and largest value, not {pair!r}") from None
        if not (low < high and math.isfinite(high - low)):
            raise ValueError(f"the slider of {path} goes from {low} to {high}: low must be below high")
        ranges[path] = [low, high]
    return ranges


def _stated(scene: Scene, path: str) -> float | None:
    """The number that a scene states at a path."""
    place: Any = scene.to_dict()
    for key in path.split("."):
        try:
            place = place[int(key)] if isinstance(place, list) else place[key]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return float(place) if isinstance(place, (int, float)) and not isinstance(place, bool) else None
