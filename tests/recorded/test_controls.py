"""Every custom ID that a button, menu or form has ever had still works."""

from __future__ import annotations

import pytest

from bot.core.hooks import INTERFACE, load
from bot.core.interactions import controls
from tests.recorded import CONTROLS as RECORDED


def test_every_kind_of_control_has_a_recorded_id() -> None:
    load(*INTERFACE)
    recorded = {address.partition(":")[0] for address, _ in RECORDED}
    kinds = controls.registered().items()
    ours = {prefix for prefix, kind in kinds if kind.__module__.startswith("bot.")}
    missing = sorted(ours - recorded)
    assert not missing, (
        f"For each of {missing} add a line to tests/recorded/controls.txt: the custom id of such a control, a space,"
        " and its repr. Lines that stood there at a release are never changed or removed."
    )


@pytest.mark.parametrize(("address", "read"), RECORDED, ids=[address for address, _ in RECORDED])
def test_a_recorded_id_leads_to_the_same_control(address: str, read: str) -> None:
    """The right side may follow a rename in the code; the left side must still lead there."""
    load(*INTERFACE)
    found = controls.find(address)
    assert found is not None, "released messages use this custom id, so it must stay readable"
    assert repr(found) == read
    assert len(address) <= controls.MAX_CUSTOM_ID
