"""What monitoring and doctor say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from bot.app import doctor
from bot.app.machine_checks import Finding
from bot.app.monitoring import Monitoring
from bot.app.shard_figures import ShardFigures
from tests.end_to_end.harness import Environment


async def asked(monitoring: Monitoring, path: str) -> tuple[int, str]:
    address = f"http://127.0.0.1:{monitoring.port}{path}"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.text()


async def figures(monitoring: Monitoring) -> Mapping[str, Mapping[str, float]]:
    """Return all metrics: name -> label, or an empty text -> value."""
    _, text = await asked(monitoring, "/metrics")
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name][",".join(sample.labels.values())] = sample.value
    return found


async def told_by_discord(monitoring: Monitoring) -> None:
    """Wait for the background requests to Discord."""
    (shards,) = (one for one in monitoring._sources if isinstance(one, ShardFigures))
    assert shards._asking is not None
    await shards._asking


async def collected(found: AsyncIterator[Finding]) -> dict[str, list[Finding]]:
    sorted_: dict[str, list[Finding]] = {}
    async for one in found:
        sorted_.setdefault(one.about, []).append(one)
    return sorted_


async def of_discord(env: Environment, **given: object) -> dict[str, list[Finding]]:
    return await collected(doctor.examine_discord(env.playground.token, **given))  # type: ignore[arg-type]
