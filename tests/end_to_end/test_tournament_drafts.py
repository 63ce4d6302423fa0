"""The draft of a tournament: private until it is posted, and everything that can be chosen for it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.features.tournaments.drafts import Draft, with_time
from data.tournaments import tournaments
from data.tournaments.tournaments import Tournament
from data.tournaments.values import Format
from playground.model import Message, Role
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import labels, may_manage
from tests.end_to_end.tournaments import create_in, drafted, number_of


async def _made(env: Environment) -> list[Tournament]:
    return list(await env.read(tournaments.of_server, env.guild.id, limit=50))


def _public(env: Environment) -> list[Message]:
    return [one for one in env.channel("games").messages.values() if not one.ephemeral]


async def test_three_things_are_asked_and_nothing_is_public_before_it_is_posted(
    env: Environment,
) -> None:
    draft, _ = await drafted(env.ann, "games", format="knockout", name="Winter Cup")
    assert draft.ephemeral
    assert draft.text.startswith("### Winter Cup\nTablut · knockout · 3 days per move\n")
    assert labels(draft) == ["Post it", "More…", "Discard"]
    await env.settled()
    assert (_public(env), await _made(env)) == ([], [])
    await env.restart()
    await env.ann.press(draft, "More…")
    await env.ann.choose(draft, "round-robin", menu=0)
    assert "round robin" in draft.text
    await env.done(env.ann.press(draft, "Post it"))
    assert "open for sign-ups" in draft.text
    (post,) = _public(env)
    assert "round robin" in post.text
    assert "Sign up" in labels(post)


async def test_a_draft_is_posted_once_however_often_it_is_pressed(env: Environment) -> None:
    draft, _ = await drafted(env.ann, "games")
    shown = draft.snapshot()
    both = [env.ann.press(shown, "Post it", stale=True) for _ in range(2)]
    told = [(await reply).text for reply in both]
    told.append((await env.ann.press(shown, "Post it", stale=True)).text)
    assert sum("This draft is gone" in one for one in told) == 2
    assert len(await _made(env)) == 1
    for label in ("More…", "Post it"):
        assert "This draft is gone" in (await env.ann.press(shown, label, stale=True)).text
    await env.settled()


async def test_a_discarded_draft_posts_nothing(env: Environment) -> None:
    draft, _ = await drafted(env.ann, "games")
    await env.ann.press(draft, "Discard")
    assert "Nothing was posted" in draft.text
    assert labels(draft) == []
    await env.settled()
    assert await _made(env) == []


async def test_all_that_can_be_chosen_is_kept(env: Environment) -> None:
    may_manage(env, env.ann)
    world, guild = env.world, env.guild
    role = Role(world.ids.next(), "Club")
    guild.roles[role.id] = role
    await env.restart()
    told = await create_in(
        env.ann,
        "games",
        game="tablan",
        format="double-round-robin",
        name="Spring Cup",
        options="rules=bell",
        bank=7,
        round_days=30,
        starts_in=5,
        groups=2,
        most=64,
        least_rating=1200,
        most_rating=1900,
        verdict="computer",
        role=role,
        both_sides=True,
        casual=True,
        monthly=True,
        established=True,
    )
    assert "open for sign-ups" in told, told
    (made,) = await _made(env)
    plan = made.plan
    assert (plan.format, plan.cycles, plan.groups, plan.both_sides) == (
        *(Format.ROUND_ROBIN, 2, 2),
        True,
    )
    assert (made.bank, made.round_days, made.verdict, made.unrated) == (7, 30, "computer", True)
    assert (made.max_players, made.min_rating, made.max_rating) == (64, 1200, 1900)
    assert (made.established, made.role_id, made.monthly) == (True, role.id, True)
    assert made.starts_at is not None
    assert made.options == {"rules": "bell"}
    await env.settled()


async def test_typed_numbers_that_cannot_be_change_nothing(env: Environment) -> None:
    draft, _ = await drafted(env.ann, "games", bank=2)
    number = number_of(draft)
    for typed in ("0", "15", "-1", "two", "٣٣٣", "99999"):
        form = await env.ann.press(draft, custom_id=f"draft-ask:{number}:time")
        reply = await env.ann.submit(form.modal, {"bank": typed})
        assert (
            "Or days in a time bank: type a number from 1 to 14, or leave it empty." in reply.text
        ), typed
        assert "time bank: 2 days" in draft.text
    form = await env.ann.press(draft, custom_id=f"draft-ask:{number}:time")
    await env.ann.submit(form.modal, {"bank": ""})
    assert "3 days per move" in draft.text


async def test_the_time_per_move_is_chosen_from_a_menu_of_hours_and_days(env: Environment) -> None:
    draft, _ = await drafted(env.ann, "games", time="6h")
    assert "6 hours per move" in draft.text
    number = number_of(draft)
    for chosen, shown in (("2", "2 days per move"), ("default", "3 days per move")):
        form = await env.ann.press(draft, custom_id=f"draft-ask:{number}:time")
        await env.ann.submit(form.modal, {"time": chosen})
        assert shown in draft.text
    form = await env.ann.press(draft, custom_id=f"draft-ask:{number}:time")
    reply = await env.ann.submit(form.modal, {"time": "1h", "bank": "7"})
    assert "Choose a time per move or a time bank, not both." in reply.text
    assert "3 days per move" in draft.text
    form = await env.ann.press(draft, custom_id=f"draft-ask:{number}:time")
    await env.ann.submit(form.modal, {"time": "1h"})
    form = await env.ann.press(draft, custom_id=f"draft-ask:{number}:time")
    await env.ann.submit(form.modal, {"starts_in": "3"})
    assert "1 hour per move" in draft.text, "the form keeps what was chosen before"
    await env.done(env.ann.press(draft, "Post it"))
    (made,) = await _made(env)
    assert (made.per_move, made.bank) == (timedelta(hours=1), None)
    (post,) = _public(env)
    assert "1 hour per move" in post.text


@pytest.mark.parametrize("value", ["0h", "24h", "15", "0", "-1h", "h", "sixh", "99999999999h", ""])
def test_a_time_that_is_not_on_offer_is_refused(value: str) -> None:
    draft = Draft(game="tablut", name="Winter Cup", format="swiss")
    with pytest.raises(ValueError, match=r".*"):
        with_time(draft, value)


async def test_another_format_leaves_what_only_the_one_before_had(env: Environment) -> None:
    draft, _ = await drafted(env.ann, "games", format="knockout", best_of=3)
    assert "knockout, best of 3" in draft.text
    await env.ann.choose(draft, "swiss", menu=0)
    assert "Swiss system" in draft.text
    await env.ann.choose(draft, "knockout", menu=0)
    assert "best of" not in draft.text


async def test_old_drafts_are_forgotten(env: Environment) -> None:
    old, _ = await drafted(env.ann, "games")
    await env.advance(hours=25)
    await drafted(env.ben, "games")
    assert "This draft is gone" in (await env.ann.press(old, "Post it")).text
