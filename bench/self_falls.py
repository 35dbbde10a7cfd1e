"""Robots of example-robot-data that fall with the hulls of their collision meshes and touch themselves.

self_falls.py CAROM ROBOTS [--attitudes N] [--seed S] [--only NAME] [--keep DIR] [--table FILE]

As falls.py, with `meshes = "hull"`, every link against the ground, and every two links of the robot that no joint ties and
that do not overlap at the start. Restitution and friction are those of falls.py.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import falls


def scene(urdf, path, height, rng):
    """The text of a scene."""
    lines = ["[[urdf]]", f'file = "{urdf}"', f"floating_base = {str(height is not None).lower()}", 'meshes = "hull"']
    if height is not None:
        turn = [rng.uniform(-180, 180), rng.uniform(-90, 90), rng.uniform(-180, 180)]
        rotation = ", ".join(f'"{a:.3f}deg"' for a in turn)
        lines += [f"position = [0, 0, {height}]", f"rotation = [{rotation}]"]
    lines += ["[body.ground]", 'shape = "plane"', f"position = [0, 0, {0 if height is not None else -0.1}]"]
    pose = ", ".join(f"{name} = {angle:.4f}" for name, angle in falls.angles(path, rng).items())
    lines += ["[initial]", f"angle = {{ {pose} }}"]
    e, mu = rng.uniform(0, 0.5), rng.uniform(0.3, 1)
    values = [f"restitution = {e:.4f}", f"friction = {mu:.4f}"]
    lines += ["[[contact]]", 'between = ["*", "ground"]', *values]
    lines += ["[[contact]]", 'self = "*"', *values]
    lines += ["[solver]", "until = 2"]
    return "\n".join(lines) + "\n"


falls.scene = scene
falls.TABLE = "self-falls"
falls.FALLS = {name: falls.FALLS[name] for name in ("A1", "Go1", "Solo12", "ANYmal B")}
falls.FIXED = {"Panda, fixed": falls.FIXED["Panda, fixed"]}

if __name__ == "__main__":
    sys.exit(falls.main())
