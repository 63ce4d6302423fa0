"""Posts under faults that last: nothing else waits, and nothing is lost or doubled."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

import pytest

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.layout import text_layout
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.posts.poster import Poster
from data.posts import Post, want
from playground.request_log import Request
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import SLUG, about_letters_to, follow, inbox, resign_there
from tests.end_to_end.puzzles import add_puzzles, daily_puzzles, turn_on_daily_puzzle
from tests.routes import HISTORY, OPEN, POST

pytestmark = pytest.mark.usefixtures("no_shipped_puzzles")


async def ended(env: Environment) -> None:
    await env.begin(SLUG)
    for person in (env.carol, env.dan):
        await follow(person, match=1)
    await resign_there(env, "games")


async def test_where_history_fails_for_good_posts_still_come_once(env: Environment) -> None:
    env.expected |= {500}
    env.faults.respond(HISTORY, status=500, times=None)
    await add_puzzles(env)
    env.faults.drop(POST, after=True)
    await turn_on_daily_puzzle(env)
    await env.advance(minutes=5)
    [post] = daily_puzzles(env)
    await env.restart()
    await env.advance(minutes=5)
    assert daily_puzzles(env) == [post]
    await ended(env)
    assert len(inbox(env, env.carol)) == 1


@pytest.mark.parametrize("route", [OPEN, POST, HISTORY])
@pytest.mark.parametrize(("status", "code"), [(500, None), (400, 40003)])
async def test_one_persons_direct_messages_fail_for_an_hour_and_others_get_theirs(
    env: Environment, route: str, status: int, code: int | None
) -> None:
    env.expected |= {status}
    carol = str(env.carol.id)

    def hers(request: Request) -> bool:
        return (
            carol in str(request.json)
            if route == OPEN
            else about_letters_to(env, env.carol)(request)
        )

    env.faults.respond(route, status=status, code=code, times=None, when=hers)
    await ended(env)
    assert len(inbox(env, env.dan)) == 1
    await env.advance(hours=1)
    env.faults.clear()
    await env.advance(minutes=1)
    assert len(inbox(env, env.carol)) == 1
    assert len(inbox(env, env.dan)) == 1


@pytest.mark.parametrize(("status", "code"), [(500, None), (413, None), (400, 40005)])
async def test_where_uploads_are_refused_it_goes_out_in_words_and_gets_its_picture_later(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}
    env.faults.respond(
        "*", status=status, code=code, times=None, when=lambda request: bool(request.files)
    )
    await add_puzzles(env)
    await turn_on_daily_puzzle(env)
    await env.advance(minutes=1)
    [post] = daily_puzzles(env)
    assert not post.picture
    assert [button.label for button in post.buttons] == ["Solve it"]
    assert "Green" in post.text, "the board in words"
    env.faults.clear()
    await env.advance(minutes=1)
    assert daily_puzzles(env) == [post]
    assert post.picture


class AskedAgain(PostKind):
    """A post that is asked for while it decides to wait, as when a paused ladder is resumed."""

    kind: ClassVar[str] = "asked again"
    kept: ClassVar[bool] = False

    def __init__(self, env: Environment) -> None:
        """Post in an environment."""
        self._env = env
        self._waited = False

    async def ask(self) -> None:
        """Ask for it."""
        env = self._env
        async with env.store.write() as tx:
            await want(tx, self.kind, 1, at=env.now(), guild_id=env.guild.id)

    async def content(self, post: Post) -> Content:
        """Wait for a day at first."""
        if not self._waited:
            self._waited = True
            await self.ask()
            raise Later(self._env.now() + timedelta(days=1))
        there = self._env.playground.channel("games").id
        return Content(text_layout("Here it is"), ENGLISH, there)


async def test_what_is_asked_for_while_it_decides_to_wait_does_not_wait(env: Environment) -> None:
    kind = AskedAgain(env)
    env.app.get(Poster).declare([kind])
    await kind.ask()
    await env.settled()
    messages = env.channel().messages.values()
    assert [one.text for one in messages] == ["Here it is"]
