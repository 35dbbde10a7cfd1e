"""Building scenes: the tables of a scene file, added to and changed one by one."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any, TypeVar, Union

from . import _carom, _toml

Self = TypeVar("Self", bound="Building")

End = Union[str, "tuple[str | None, Any]", Mapping[str, Any], None]
"""A place on a body: its name, its name (None for the world) and a point, the table of scene files, or None for the
origin of the world."""


class Building:
    """The tables of a scene, and methods that add to them. Keys and units are those of scene files (docs/scenes.md)."""

    _tree: dict[str, Any] | None
    _name: str

    @property
    def _core(self) -> _carom.Scene:
        raise NotImplementedError

    def _changed(self) -> None:
        """What was built of the tables before holds no longer."""
        raise NotImplementedError

    # Any value

    def _change(self) -> dict[str, Any]:
        """The tables, to be changed."""
        if self._tree is None:
            self._tree, self._name = self.to_dict(), self._beside()
        self._changed()
        return self._tree

    def _beside(self) -> str:
        """A name for the tables: that of the scene, or one beside the robot that they include."""
        if self._tree is None and robot(self._core.text):
            return os.fspath(Path(self._name).with_suffix(".toml"))
        return self._name

    def set(self: Self, path: str, value: Any) -> Self:
        """Set any value by its path, such as ``"solver.rtol"`` or ``"contact.0.friction"``; places count from 0."""
        *above, last = _path(path)
        place: Any = self._change()
        for depth, key in enumerate(above):
            if isinstance(place, MutableMapping):
                place = place.setdefault(key, {})
            else:
                place = place[_index(place, key, path)]
            if not isinstance(place, (MutableMapping, list)):
                here = ".".join(above[: depth + 1])
                raise KeyError(f"{path}: {here} is {place!r}, which holds no {last!r}")
        if isinstance(place, list):
            place[_index(place, last, path)] = _toml.plain(value)
        else:
            place[last] = _toml.plain(value)
        return self

    def _named(self: Self, table: str, name: str, fields: Mapping[str, Any]) -> Self:
        _toml.key(name)
        self._change().setdefault(table, {}).setdefault(name, {}).update(_toml.plain(fields))
        return self

    def _listed(self: Self, table: str, fields: Mapping[str, Any]) -> Self:
        entry = {key: x for key, x in _toml.plain(fields).items() if x is not None}
        self._change().setdefault(table, []).append(entry)
        return self

    def _single(self: Self, table: str, fields: Mapping[str, Any]) -> Self:
        self._change().setdefault(table, {}).update(_toml.plain(fields))
        return self

    # The mechanism

    def body(self: Self, name: str, **fields: Any) -> Self:
        """Add or change a body.

        Parameters
        ----------
        name : str
            The body; a link of a robot that the scene includes gets what is given.
        **fields
            ``mass`` (kg), ``inertia`` (kg m²), ``shape`` (m), ``position`` (m), ``velocity`` (m/s), ``joint``,
            ``feature`` and all else of ``[body.NAME]``.
        """
        return self._named("body", name, fields)

    def joint(self: Self, name: str, **fields: Any) -> Self:
        """Add or change a joint: ``type``, ``parent``, ``child``, ``spring``, ``friction`` (N m or N) and all else of
        ``[joint.NAME]``."""
        return self._named("joint", name, fields)

    def loop(self: Self, type: str, a: End = None, b: End = None, **fields: Any) -> Self:
        """Close a loop that the joints, which make a tree, leave open.

        Parameters
        ----------
        type : {"point", "hinge", "weld", "distance", "gear"}
            What holds between the two frames, or of a gear between the two ``joints``.
        a, b : str, pair, mapping or None
            A body (its origin), a body and a point in its frame (m), the table of scene files (``body``, ``position``,
            ``rotation``, ``axis``), or None for the origin of the world.
        **fields
            ``name``, ``length`` (m) of a distance; ``joints``, ``ratio`` and ``offset`` of a gear.
        """
        return self._listed("loop", {"type": type, "a": _end(a), "b": _end(b), **fields})

    def spring(self: Self, a: End = None, b: End = None, **fields: Any) -> Self:
        """Add a spring and damper between two points, which are given as in :meth:`loop`: ``stiffness`` (N/m), ``rest``
        (m), ``damping`` (N s/m), ``name``."""
        return self._listed("spring", {"a": _end(a), "b": _end(b), **fields})

    def load(self: Self, body: str, **fields: Any) -> Self:
        """Add a constant ``force`` (N) and ``moment`` (N m) on a body, at ``position`` (m), along ``axes`` of the
        ``"world"`` or of the ``"body"``."""
        return self._listed("load", {"body": body, **fields})

    def force(self: Self, name: str, **fields: Any) -> Self:
        """Add or change a force by expression: ``force`` (N m or N), such as ``"3 * sin(2 * t) - 0.5 * v.cart"``, at a
        ``joint``, or at a ``point`` (m) of a ``body``."""
        return self._named("force", name, fields)

    def actuator(self: Self, name: str, **fields: Any) -> Self:
        """Add or change a motor: ``joint``, ``limit`` (N m or N) and all else of ``[actuator.NAME]``."""
        return self._named("actuator", name, fields)

    def controller(self: Self, name: str, **fields: Any) -> Self:
        """Add or change a controller: ``type`` (``"pd"``, ``"computed_torque"``, ``"table"``), ``stiffness``,
        ``damping`` and all else of ``[controller.NAME]``."""
        return self._named("controller", name, fields)

    # What touches

    def contact(self: Self, first: str, second: str, **fields: Any) -> Self:
        """Add a contact between two bodies, features or groups.

        Parameters
        ----------
        first, second : str
            The sides: ``"ball"``, ``"lower.tip"``, a pattern such as ``"grain*"``, a group, or ``"self"``.
        **fields
            ``restitution``, ``friction``, ``static_friction``, ``rolling_friction`` (m), ``law``, ``touch`` and all else
            of ``[[contact]]``.
        """
        return self._listed("contact", {"between": [first, second], **fields})

    def pile(self: Self, *of: str, **fields: Any) -> Self:
        """Let any two of these bodies touch: ``restitution``, ``friction``, ``static_friction``, ``name``; ``*`` in a
        name stands for any letters."""
        return self._listed("pile", {"of": of, **fields})

    def group(self: Self, name: str, *of: str) -> Self:
        """Name bodies, features and patterns that are one side of contacts."""
        _toml.key(name)
        self._change().setdefault("group", {})[name] = _toml.plain(of)
        return self

    def combine(self: Self, **rules: Any) -> Self:
        """Rules for pairs whose two sides each state a value: ``restitution`` and ``friction`` by ``"mean"``,
        ``"geometric"``, ``"product"``, ``"min"`` or ``"max"``."""
        return self._single("combine", rules)

    # Robots

    def urdf(self: Self, file: str | os.PathLike[str], **fields: Any) -> Self:
        """Include a robot description: ``floating_base``, ``position`` (m), ``prefix`` and all else of ``[[urdf]]``.
        The path is relative to the scene, whose name is its own (``Scene(name="folder/scene.toml")``)."""
        return self._listed("urdf", {"file": os.fspath(file), **fields})

    def mjcf(self: Self, file: str | os.PathLike[str], **fields: Any) -> Self:
        """Include a model of MuJoCo: ``keyframe``, ``restitution``, ``contacts`` and all else of ``[[mjcf]]``. The path
        is relative to the scene."""
        return self._listed("mjcf", {"file": os.fspath(file), **fields})

    # Start and settings

    def start(self: Self, **fields: Any) -> Self:
        """Change ``[initial]``, the state at the start: ``angle`` (rad or m) and ``rate`` (rad/s or m/s) of joints by
        name, ``body``, ``time`` (s)."""
        return self._single("initial", fields)

    def law(self: Self, formulation: str, **options: Any) -> Self:
        """Choose the impact law of the scene, with its options, as ``carom.laws()`` lists them."""
        self._change()["law"] = {"formulation": formulation, **_toml.plain(options)}
        return self

    def solver(self: Self, **fields: Any) -> Self:
        """Change ``[solver]``: ``until`` (s), ``rtol``, ``method``, ``scheme`` (``"moreau"`` with ``step``, s) and so on."""
        return self._single("solver", fields)

    def output(self: Self, **fields: Any) -> Self:
        """Change ``[output]``: ``interval`` (s), ``impact_duration`` (s)."""
        return self._single("output", fields)

    # And back

    def to_dict(self) -> dict[str, Any]:
        """The tables of the scene, with all overrides.

        A robot description is a scene that includes it, from beside its own name.

        Raises
        ------
        ValueError
            The scene is the text of a robot description, which no file holds.
        """
        if self._tree is not None:
            return copy.deepcopy(self._tree)
        core = self._core
        if robot(core.text) and not Path(core.name).is_file():
            raise ValueError(
                "this scene is the text of a robot description; write it to a file and load that, then its tables "
                "include it"
            )
        tree: dict[str, Any] = json.loads(_carom.stated(core.text, core.name, core.overrides))
        return tree

    def to_toml(self) -> str:
        """The scene as the text of a scene file."""
        return _toml.document(self.to_dict())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scene as a file. Relative paths of files that it includes are written as seen from there."""
        tree, folder = self.to_dict(), Path(path).resolve().parent
        own = Path(self._name).resolve().parent
        if folder != own:
            for table, key in _files(tree):
                if not os.path.isabs(table[key]):
                    table[key] = Path(os.path.relpath(own / table[key], folder)).as_posix()
        Path(path).write_text(_toml.document(tree), encoding="utf-8")


def _files(tree: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Places in the tables of a scene that name a file."""
    tables = [(t, k) for name in ("urdf", "mjcf") for t in tree.get(name, []) for k in ("file", "srdf")]
    tables += [(t, "file") for t in tree.get("controller", {}).values()]
    tables += [(tree.get("study", {}), "rows")]
    for body in tree.get("body", {}).values():
        shapes = [body.get("shape"), *dict(body.get("feature") or {}).values()]
        tables += [(shape, "mesh") for shape in shapes if isinstance(shape, dict)]
    yield from ((table, key) for table, key in tables if isinstance(table.get(key), str))


def includes(tree: Mapping[str, Any]) -> bool:
    """Whether a scene is read from more files than its own."""
    return any(True for _ in _files(tree))


def robot(text: str) -> bool:
    """Whether a text is a robot description, not a scene file."""
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def _end(x: End) -> dict[str, Any] | None:
    """A place on a body as its table."""
    if x is None or isinstance(x, Mapping):
        return None if x is None else dict(_toml.plain(x))
    if isinstance(x, str):
        return {"body": x}
    try:
        body, point = x
    except (TypeError, ValueError):
        raise TypeError(f"a place is a body, a body and a point, or a table, not {x!r}") from None
    place = {"position": _toml.plain(point)}
    return place if body is None else {"body": body, **place}


def _path(path: str) -> list[str]:
    if not isinstance(path, str) or not path:
        raise TypeError(f"a path is a text such as 'contact.0.friction', not {path!r}")
    return path.split(".")


def _index(place: list[Any], key: str, path: str) -> int:
    """A place in a list of tables."""
    if not key.isdecimal() or int(key) >= len(place):
        raise KeyError(f"{path}: {key!r} is no place in a list of {len(place)}, which count from 0")
    return int(key)
