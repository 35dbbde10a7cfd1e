"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

import carom

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> Path:
    return ROOT / "scenes"


@pytest.fixture
def ball(scenes: Path) -> carom.Scene:
    return carom.load(scenes / "ball.toml")


@pytest.fixture
def pendulum(scenes: Path) -> carom.Scene:
    return carom.load(scenes / "double_pendulum.toml")
