"""Evaluates the alert rules on what processes report, as Prometheus would at one moment.

It knows the parts of PromQL that rules without a range use: selectors, aggregations, arithmetic
and comparisons with numbers. What a rule compares over time is not evaluated.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import promql_parser
import yaml
from prometheus_client.parser import text_string_to_metric_families

FOLDER: Final = Path(__file__).parents[2] / "deploy" / "monitoring"
Labels: TypeAlias = frozenset[tuple[str, str]]
Vector: TypeAlias = dict[Labels, float]

_AGGREGATIONS: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "max": max,
    "min": min,
    "sum": sum,
    "count": len,
}
_ARITHMETIC: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


def rules() -> list[dict[str, Any]]:
    """Return the rules of the project."""
    (group,) = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def firing(alert: str, reported: Mapping[str, str], *, at: float = 0.0) -> list[Mapping[str, str]]:
    """Return the labels with which a rule holds.

    Args:
        alert: the name of the rule.
        reported: what each process answers to ``/metrics``, by its name.
        at: the time, in seconds since 1970.
    """
    (rule,) = (one for one in rules() if one["alert"] == alert)
    found = _value(promql_parser.parse(rule["expr"]), _samples(reported), at)
    assert isinstance(found, dict)
    return [dict(labels) for labels in found]


def _samples(reported: Mapping[str, str]) -> Mapping[str, Vector]:
    found: defaultdict[str, Vector] = defaultdict(dict)
    for instance, text in reported.items():
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                labels = {**sample.labels, "instance": instance, "job": "boardgames"}
                found[sample.name][frozenset(labels.items())] = sample.value
    return found


def _value(node: Any, samples: Mapping[str, Vector], at: float) -> Vector | float:
    match node:
        case promql_parser.NumberLiteral():
            return float(node.val)
        case promql_parser.ParenExpr():
            return _value(node.expr, samples, at)
        case promql_parser.Call() if node.func.name == "time":
            return at
        case promql_parser.VectorSelector():
            assert not node.matchers.matchers, "selectors with labels are not supported"
            return samples.get(node.name or "", {})
        case promql_parser.AggregateExpr():
            return _aggregated(node, samples, at)
        case promql_parser.BinaryExpr():
            return _combined(
                str(node.op), _value(node.lhs, samples, at), _value(node.rhs, samples, at)
            )
    raise NotImplementedError(str(node))


def _aggregated(node: Any, samples: Mapping[str, Vector], at: float) -> Vector:
    inner = _value(node.expr, samples, at)
    assert isinstance(inner, dict)
    kept = set(node.modifier.labels) if node.modifier is not None else set()
    groups: defaultdict[Labels, list[float]] = defaultdict(list)
    for labels, value in inner.items():
        groups[frozenset((name, text) for name, text in labels if name in kept)].append(value)
    return {labels: _AGGREGATIONS[str(node.op)](values) for labels, values in groups.items()}


def _combined(name: str, left: Vector | float, right: Vector | float) -> Vector | float:
    if name in _COMPARISONS:
        assert isinstance(left, dict)
        assert isinstance(right, float)
        holds = _COMPARISONS[name]
        return {labels: value for labels, value in left.items() if holds(value, right)}
    work = _ARITHMETIC[name]
    match left, right:
        case dict(), float():
            return {labels: work(value, right) for labels, value in left.items()}
        case float(), dict():
            return {labels: work(left, value) for labels, value in right.items()}
        case float(), float():
            return work(left, right)
    raise NotImplementedError(name)
