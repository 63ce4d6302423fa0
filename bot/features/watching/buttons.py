"""``/watch``: what is played on a server, with menus for following; shown to the reader alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, ClassVar, Final, Literal

import discord

from bot.core.computers import is_person
from bot.core.errors import GONE, ID, Id, Refusal, picked
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, message_link, numbered, slash
from bot.core.interactions.commands import Option, command
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import server_of
from bot.core.permissions.members import Members
from bot.core.permissions.visibility import Sight, may_see_now
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.posts.quiet_hours import after_quiet
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.watching.service import MAX_FOLLOWED, Watching
from bot.play.controls.lookup import visible
from bot.play.matches import match_text
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data.matches import watching
from data.matches.boards import PostedMessage
from data.matches.match import Match
from data.posts import Post
from engine.phrase import Phrase, concat, lines, say
from engine.plain_text import one_line

_PER_PAGE: Final = 10
_AT_ONCE: Final = 25
_MAX_SEARCHED: Final = 100
"""Maximum open matches to search for one page; the next page continues from there."""
_STALE: Final = timedelta(days=2)
"""Matches that ended longer ago than this aren't reported."""


class WatchButton(Button, prefix="watch"):
    """Turns to matches older than a given one; 0 starts with the newest."""

    before: int

    async def press(self, reply: Reply) -> None:
        """Show them in place of the current ones."""
        await reply.replace(await watch_page(reply, self.before))


class WatchMatchMenu(Menu, prefix="watch-match"):
    """Follows or stops following a match on the page."""

    before: int

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Do so, and refresh the page."""
        action, _, number = values[0].partition(" ")
        if action == "follow":
            await follow_match(reply, picked(number))
        else:
            await reply.get(Watching).leave_match(picked(number), reply.user_id)
        await reply.replace(await watch_page(reply, self.before))


class WatchPlayersMenu(Menu, prefix="watch-players"):
    """Chooses the players the reader follows on this server."""

    may_be_empty = True
    before: int

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Follow exactly the chosen players on this server, and refresh the page."""
        try:
            chosen = [ID.read(value) for value in values]
        except ValueError:
            raise Refusal(GONE) from None
        service, guild_id = reply.get(Watching), server_of(reply.interaction)
        now = (await service.followed(reply.user_id, guild_id)).players
        for player in set(now) - set(chosen):
            await service.leave_player(player, reply.user_id, guild_id)
        refused: Refusal | None = None
        for player in [one for one in chosen if one not in now]:
            try:
                await service.follow_player(player, reply.user_id, guild_id)
            except Refusal as error:
                refused = error
        await reply.replace(await watch_page(reply, self.before))
        if refused is not None:
            raise refused


class StopWatchingButton(Button, prefix="unwatch"):
    """Stops following a match or a player."""

    what: Literal["match", "player"]
    guild_id: Id
    number: Id

    async def press(self, reply: Reply) -> None:
        """Do so, and confirm it in place of the message or in a private reply."""
        service = reply.get(Watching)
        if self.what == "match":
            await service.leave_match(self.number, reply.user_id)
            sentence = say("You no longer follow match #{number}.", number=self.number)
        else:
            await service.leave_player(self.number, reply.user_id, self.guild_id)
            sentence = say("You no longer follow {player}.", player=mention(self.number))
        await reply.show_privately(text_layout(sentence))


async def follow_match(reply: Reply, number: int) -> None:
    """Follow a match the user may see; raise Refusal if they may not."""
    await reply.get(Watching).follow_match(await visible(reply, number), reply.user_id)


def stop_button(what: Literal["match", "player"], guild_id: int, number: int) -> Component:
    """Return the button to stop following."""
    return StopWatchingButton(what, guild_id, number).component(say("Stop following"))


async def watch_page(reply: Reply, before: int = 0) -> Layout:
    """Return the matches between people here that the reader may see, and what they follow."""
    service, guild_id = reply.get(Watching), server_of(reply.interaction)
    followed = await service.followed(reply.user_id, guild_id)
    matches, older = await _visible(reply, guild_id, before)
    shown = await service.current(matches)
    people = {player.user_id for match in matches for player in match.players}
    departed = await reply.get(Members).departed(guild_id, people | set(followed.players))
    mine = {position.match.id for position in followed.matches}
    entries = [
        match_line(position, board, departed, followed=position.match.id in mine)
        for position, board in shown
    ]
    page = page_text(entries, followed.players, departed, first=not before, last=older is None)
    parts = [text_display(page)]
    others = [position for position, _ in shown if position.player_of(reply.user_id) is None]
    if others:
        menu = WatchMatchMenu(before)
        options = [_option(position, followed=position.match.id in mine) for position in others]
        parts.append(action_row(menu.component(options, placeholder=say("Follow a game"))))
    players = WatchPlayersMenu(before).of_users(
        placeholder=say("Follow players"),
        min_values=0,
        max_values=MAX_FOLLOWED,
        chosen=followed.players,
    )
    parts.append(action_row(players))
    turning = []
    if before:
        turning.append(WatchButton(0).component(say("Newest")))
    if older is not None:
        turning.append(WatchButton(older).component(say("Older")))
    return Layout(*parts, *rows(turning))


async def _visible(reply: Reply, guild_id: int, before: int) -> tuple[Sequence[Match], int | None]:
    """Return a page of matches, and the match whose older ones begin the next page.

    ``None`` means the end. A page may be short or even empty without being the last, where most
    matches are hidden from the reader or in archived threads.
    """
    sight = Sight(reply)
    matches: list[Match] = []
    last = before or None
    for _ in range(_MAX_SEARCHED // _AT_ONCE):
        looked_at = await reply.get(Watching).open_here(guild_id, before=last, limit=_AT_ONCE)
        seen, number = await sight.first(
            looked_at, _PER_PAGE + 1 - len(matches), of=lambda one: one
        )
        matches += seen
        if len(matches) > _PER_PAGE:
            return matches[:_PER_PAGE], matches[_PER_PAGE - 1].id
        if number == len(looked_at) < _AT_ONCE:
            return matches, None
        last = looked_at[number - 1].id if number else last
        if number < len(looked_at):
            break
    return matches, last


def _option(position: Position, *, followed: bool) -> Component:
    facts = {"number": position.match.id, "game": position.game.title}
    if followed:
        return option(say("Stop following #{number} {game}", **facts), f"leave {position.match.id}")
    return option(say("Follow #{number} {game}", **facts), f"follow {position.match.id}")


@command(
    "watch", say("See what's being played here, and follow a game or a player"), server_only=True
)
async def watch(
    reply: Reply,
    match: Annotated[int | None, Option(say("Match number to follow"), minimum=1)] = None,
    player: Annotated[discord.User | None, Option(say("Player to follow on this server"))] = None,
) -> None:
    """Follow what was named, or show what is being played."""
    guild_id = server_of(reply.interaction)
    sentence, stops = [], []
    if match is not None:
        await follow_match(reply, match)
        sentence.append(
            say(
                "You're following match {match}. I'll send you a direct message when it ends.",
                match=numbered(match, await reply.get(Matches).link_of(match)),
            )
        )
        stops.append(stop_button("match", guild_id, match))
    if player is not None:
        await reply.get(Watching).follow_player(player.id, reply.user_id, guild_id)
        sentence.append(
            say(
                "You're following {player} on this server. I'll send you a direct message whenever "
                "they finish a game you can see.",
                player=mention(player.id),
            )
        )
        stops.append(stop_button("player", guild_id, player.id))
    if sentence:
        await reply.send(text_layout(lines(sentence), *stops), public=False)
        return
    await reply.send(await watch_page(reply), public=False)


@dataclass(eq=False, repr=False)
class EndPost(PostKind):
    """Tells a follower that a match has ended, if they may see it."""

    kind: ClassVar[str] = watching.END_POST
    kept: ClassVar[bool] = False

    client: discord.Client
    watching: Watching
    settings: SettingsStore
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the result, or ``None`` if the follower is not to be told."""
        followed = post.payload.get("player")
        guild = self.client.get_guild(post.guild_id or 0)
        if guild is None or (followed is not None and not is_person(followed)):
            return None  # the bot was removed, or the player has deleted their data
        awake = after_quiet(await self.settings.player(post.user_id), self.clock())
        if awake > self.clock():
            raise Later(awake)
        ended = await self.watching.ended(post.subject, post.user_id)
        if ended is None:
            return None
        (position, board), at = ended, ended[0].match.finished_at
        stale = at is not None and self.clock() - at > _STALE
        if stale or not await may_see_now(self.client, position.match, post.user_id):
            return None
        sentence = end_text(position, board, discord.utils.escape_markdown(one_line(guild.name)))
        stops = [] if followed is None else [stop_button("player", guild.id, followed)]
        locale = await self.locales.of_player(post.user_id)
        return Content(text_layout(sentence, *stops), locale)


def match_line(
    position: Position, board: PostedMessage | None, departed: Container[int], *, followed: bool
) -> Phrase:
    """Return the line of an open match."""
    line = say(
        # Translators: a line in a list: "#12 Tablut · @Ann, @Ben · move 14".
        "#{number} **{game}** · {players} · move {move}",
        number=position.match.id,
        game=position.game.title,
        players=mention_all((player.user_id for player in position.match.players), departed),
        move=position.move,
    )
    parts = [line]
    if board is not None:
        parts.append(concat("[", say("board"), f"]({_link(position, board)})"))
    if followed:
        parts.append(say("following"))
    return lines(parts, " · ")


def page_text(
    entries: Iterable[str],
    players: Iterable[int],
    departed: Container[int],
    *,
    first: bool = True,
    last: bool = True,
) -> Phrase:
    """Return a page of open matches, and the players the reader follows."""
    games = list(entries) or [_nothing(first=first, last=last)]
    followed = list(players)
    if followed:
        games.append(say("You follow {players}.", players=mention_all(followed, departed)))
    hint = say("-# Follow one, and I'll write to you when it ends.")
    return lines((say("### Being played here"), *games, hint))


def _nothing(*, first: bool, last: bool) -> Phrase:
    """Return the line for a page without matches."""
    if not last:
        # Translators: Older is a button; use your translation of "Older".
        return say("Nothing you can see on this page. Press **Older** to look further.")
    if not first:
        return say("No older games that you can see.")
    return say(
        "Nothing you can see is being played here right now. Start a game with `{command}`.",
        command=slash("play"),
    )


def end_text(position: Position, board: PostedMessage | None, server: str) -> Phrase:
    """Return the notification that a followed match has ended."""
    head = say("### {game} on {server}", game=position.game.title, server=server)
    parts = [head, match_text.result(position)]
    if board is not None:
        link = _link(position, board)
        parts.append(say("[The last board]({link})", link=link))
    return lines(parts)


def _link(position: Position, board: PostedMessage) -> str:
    return message_link(position.match.guild_id, board.channel_id, board.message_id)
