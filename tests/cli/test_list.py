"""``sesshoku list``."""

from sesshoku.contact import LAWS
from sesshoku.model.robots import ROBOTS
from sesshoku.model.scenes import SCENES
from sesshoku.papers import EXPERIMENTS


def test_json_lists_everything(answer):
    document = answer("list")
    assert list(document) == ["scenes", "robots", "laws", "experiments"]
    assert [entry["name"] for entry in document["scenes"]] == list(SCENES)
    assert [entry["name"] for entry in document["robots"]] == list(ROBOTS)
    assert [entry["name"] for entry in document["laws"]] == list(LAWS)
    assert [entry["name"] for entry in document["experiments"]] == list(EXPERIMENTS)
    humanoid = next(entry for entry in document["robots"] if entry["name"] == "hoap_class")
    assert humanoid["velocities"] == 26
    assert humanoid["mass"] > 6


def test_table_names_robots_and_scenes(call):
    result = call("list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ROBOTS | SCENES)
