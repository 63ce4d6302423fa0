"""The dashboard and the alert rules use metrics that exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from bot.app.monitoring import Monitoring
from tests.end_to_end.harness import Environment
from tests.end_to_end.monitoring import figures, told_by_discord

FOLDER = Path(__file__).parents[2] / "deploy" / "monitoring"
OF_PROMETHEUS = {"up"}
ACTIONS = {"page", "ticket"}


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    return found


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"].replace("$__rate_interval", "1m").replace("$instance", ".*")


def names(node: Any) -> set[str]:
    found = set[str]()
    if isinstance(node, promql_parser.VectorSelector) and node.name is not None:
        found.add(node.name)
    for attribute in ("expr", "lhs", "rhs", "vector_selector", "param"):
        below = getattr(node, attribute, None)
        if below is not None:
            found |= names(below)
    if isinstance(node, promql_parser.Call):
        found |= {name for below in node.args for name in names(below)}
    return found


@pytest.mark.parametrize("expression", list(expressions()))
def test_every_expression_is_valid_promql(expression: str) -> None:
    found = names(promql_parser.parse(expression))
    assert found == set(re.findall(r"\b(?:boardgames_|process_)\w+|\bup\b", expression))


async def test_each_queried_metric_exists(env: Environment, monitoring: Monitoring) -> None:
    env.expected |= {429}
    env.faults.respond("POST /channels/{channel_id}/messages", status=429, times=1)
    await env.begin_by_challenge()
    await env.settled()
    await figures(monitoring)
    await told_by_discord(monitoring)
    told = await figures(monitoring)
    asked = {name for one in expressions() for name in names(promql_parser.parse(one))}
    assert asked - OF_PROMETHEUS <= told.keys()
    ours = {name for name in told if name.startswith("boardgames_")}
    unused = {
        name
        for name in ours - asked
        if not name.endswith(("_created", "_sum", "_count", "_bucket"))
    }
    assert not unused, "each figure is on the dashboard"


def test_every_rule_says_why_and_what_to_do() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in ACTIONS, rule["alert"]
        assert rule["annotations"].keys() == {"summary", "reason", "action"}, rule["alert"]
        assert re.fullmatch(r"\d+m", rule.get("for", "0m")), rule["alert"]
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_every_rule_has_a_comment_with_the_reason_for_its_threshold() -> None:
    text = (FOLDER / "alerts.yaml").read_text()
    for block in text.split("- alert: ")[1:]:
        assert re.search(r"^ +# ", block, re.MULTILINE), block.splitlines()[0]


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
    assert max(x for x, _ in taken) < 24
