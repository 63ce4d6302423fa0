"""``/profile`` and ``/rivals``: the record of one player or two, public or for the reader alone.

Across all servers, only players themselves see their opponents and servers, so answers about all
servers are always private.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord

from bot.core.errors import GONE, BadOpponent, Id, NotForYou, Refusal
from bot.core.i18n.mentions import mention
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Attached, Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.members import Members
from bot.core.permissions.visibility import Sight, sees_or_deleted
from bot.core.settings.service import SettingsStore
from bot.features.guide.play_buttons import ChallengePersonButton
from bot.features.leaderboards import profile_text as words
from bot.features.leaderboards.profiles import MAX_LATEST, EndedMatch, Profile, Profiles
from bot.features.leaderboards.text import scope
from bot.play.pictures.rendering import chart_for
from bot.play.ratings.skill import Skill, was_provisional
from data.matches.match import Match
from data.ratings.rating import RatingChange
from engine import registry
from engine.phrase import Phrase, capital, lines, say
from render.charts import History, Point, Record

_MAX_GAMES: Final = 25


class ProfileButton(Button, prefix="profile"):
    """Shows a profile of this server, or of all servers."""

    user_id: Id
    everywhere: bool
    game: str | None
    """The game shown in detail; ``None`` for the most played."""

    async def press(self, reply: Reply) -> None:
        """Show it in place of the current profile, or privately."""
        await _turn(reply, self.user_id, self.game, everywhere=self.everywhere)


class ProfileMenu(Menu, prefix="profile-game"):
    """Chooses the game that a profile shows in detail."""

    user_id: Id
    everywhere: bool

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the profile with this game in detail."""
        if values[0] not in registry.games():
            raise Refusal(GONE)
        await _turn(reply, self.user_id, values[0], everywhere=self.everywhere)


class MilestonesButton(Button, prefix="milestones"):
    """Shows all milestones of a player to the presser."""

    user_id: Id
    everywhere: bool

    async def press(self, reply: Reply) -> None:
        """Show them privately."""
        await _check_private(reply, self.user_id)
        guild_id = None if self.everywhere else reply.home
        if guild_id is None and self.user_id != reply.user_id:
            raise NotForYou(say("Only {person} can see this.", person=mention(self.user_id)))
        found = await reply.get(Profiles).milestones(self.user_id, guild_id)
        milestones = await _visible_milestones(reply, found, len(found), public=False)
        told = (line for _, line in milestones)
        body = lines(words.milestones(self.user_id, told, everywhere=guild_id is None))
        await reply.send(text_layout(body), public=False)


async def _check_private(reply: Reply, user_id: int) -> None:
    """Raise NotForYou if the reader may not see a player's profile."""
    if user_id != reply.user_id and await is_private(reply, user_id):
        raise NotForYou(say("{person} keeps their profile private.", person=mention(user_id)))


async def send_profile(
    reply: Reply,
    person: discord.User | discord.Member,
    game: str | None = None,
    *,
    everywhere: bool,
    public: bool,
) -> None:
    """Answer with a profile, private if it is one; raise BadOpponent for a bot."""
    if person.bot:
        raise BadOpponent(
            say("{person} is a bot and has no profile. Pick a person.", person=person.mention)
        )
    public = public and not await is_private(reply, person.id)
    layout = await profile_layout(reply, person.id, game, everywhere=everywhere, public=public)
    await reply.send(layout, public=public)


async def _turn(reply: Reply, user_id: int, game: str | None, *, everywhere: bool) -> None:
    """Show another part of a profile in place of the pressed message, or in a private answer."""
    alone = reply.pressed_is_private
    shared = not everywhere and not await is_private(reply, user_id)
    layout = await profile_layout(
        reply, user_id, game, everywhere=everywhere, public=shared and not alone
    )
    if alone or shared:
        await reply.replace(layout)
    else:
        await reply.send(layout, public=False)


async def profile_layout(
    reply: Reply, user_id: int, game: str | None, *, everywhere: bool, public: bool
) -> Layout:
    """Return a profile and its picture, for this server, or over all servers for one reader.

    Raise NotForYou if the profile is private.
    """
    reader, guild_id = reply.user_id, None if everywhere else reply.home
    await _check_private(reply, user_id)
    everywhere = guild_id is None
    whole = not everywhere or user_id == reader
    # Players see all of their own in private answers.
    alone = user_id == reader and not public
    found = await reply.get(Profiles).read(
        user_id,
        guild_id,
        game=game,
        whole=whole,
        seen=lambda channel: alone or sees_or_deleted(reply, channel, public=public),
    )
    buttons = []
    if reply.home is not None:
        other = ProfileButton(user_id, not everywhere, game)
        buttons.append(other.component(scope(everywhere=not everywhere)))
    if found is None:
        notice = words.nothing(user_id, reader, everywhere=everywhere, game=game)
        return text_layout(notice, *buttons)
    if user_id != reader and reply.home is not None:
        buttons.append(challenge_button(user_id))
    latest = await _visible_matches(reply, found.latest, user_id, guild_id, public=public)
    found = replace(found, latest=latest)
    most = words.MAX_SHOWN_MILESTONES + 1  # One extra shows whether to offer a button for the rest.
    done = await _visible_milestones(reply, found.milestones, most, public=public)
    found = replace(found, milestones=done)
    if len(done) > words.MAX_SHOWN_MILESTONES:
        more = MilestonesButton(user_id, everywhere)
        buttons.append(more.component(say("All milestones")))
    departed = await reply.get(Members).departed(guild_id, found.people)
    parts: list[Component | Attached] = [text_display(lines(words.heading(found, departed)))]
    if found.chosen is None:
        notice = words.nothing(user_id, reader, everywhere=everywhere, game=game)
        parts.append(text_display(notice))
    chart = await chart_for(reply, _chart(found), "rating.png", public=public)
    parts += [*chart, text_display(lines(words.details(found, departed)))]
    if len(found.games) > 1:
        menu = ProfileMenu(found.user_id, found.everywhere)
        parts.append(action_row(menu.component(_games(found))))
    return Layout(*parts, *rows(buttons))


async def is_private(reply: Reply, *players: int) -> bool:
    """Return whether any of these players keeps their profile private."""
    settings = reply.get(SettingsStore)
    return not all([(await settings.player(player)).profile for player in players])


async def _visible_matches(
    reply: Reply,
    latest: Sequence[EndedMatch],
    user_id: int,
    guild_id: int | None,
    rival: int | None = None,
    *,
    game: str | None = None,
    public: bool,
) -> tuple[EndedMatch, ...]:
    """Return the latest matches that the reader, or every reader of a public answer, may see.

    Earlier matches fill the places of hidden ones.
    """
    sight = Sight(reply, public=public)
    matches, _ = await sight.first(latest, MAX_LATEST, of=lambda one: one.match)
    if len(matches) < MAX_LATEST == len(latest):
        found = await reply.get(Profiles).earlier(latest, user_id, guild_id, rival, game=game)
        more, _ = await sight.first(found, MAX_LATEST - len(matches), of=lambda one: one.match)
        matches += more
    return tuple(matches)


async def _visible_milestones(
    reply: Reply, milestones: Sequence[tuple[Match, Phrase]], limit: int, *, public: bool
) -> tuple[tuple[Match, Phrase], ...]:
    """Return the first milestones from matches that the reader, or every public reader, may see.

    Every match may be asked about: milestones are few, one per kind and game, and all their threads
    may be archived.
    """
    sight = Sight(reply, public=public, asks=len(milestones))
    visible, _ = await sight.first(milestones, limit, of=lambda one: one[0])
    return tuple(visible)


def challenge_button(user_id: int) -> Component:
    """Return the button that starts a challenge to a player."""
    return ChallengePersonButton(user_id).component(say("Challenge"), style="primary")


def _games(profile: Profile) -> list[Component]:
    chosen = None if profile.chosen is None else profile.chosen.slug
    return [
        option(registry.title(game.slug), game.slug, default=game.slug == chosen)
        for game in profile.games
        if game.slug in registry.games()
    ][:_MAX_GAMES]


def _chart(profile: Profile) -> History | None:
    """Return the chart of the chosen game; ``None`` without a rated match in it."""
    chosen = profile.chosen
    if chosen is None or not profile.history:
        return None
    game = registry.games().get(chosen.slug)
    records: tuple[Record, ...] = ()
    if game is not None and len(chosen.sides) > 1:
        records = tuple(
            Record(capital(game.seat_names[seat]), made.won, made.drawn, made.lost)
            for seat, made in chosen.sides
        )
    established = chosen.standing is not None and not chosen.standing.provisional
    return History(
        tuple(_point(change, established=established) for change in profile.history),
        records,
        "" if game is None else game.title,
    )


def _point(change: RatingChange, *, established: bool) -> Point:
    skill = Skill(change.mu, change.sigma)
    return Point(
        at=change.at,
        rating=skill.points,
        margin=skill.margin,
        provisional=was_provisional(change, established_now=established),
    )


class RivalsButton(Button, prefix="rivals"):
    """Shows the head to head of two players in this server, or in all servers."""

    one: Id
    other: Id
    everywhere: bool
    game: str | None

    async def press(self, reply: Reply) -> None:
        """Show it in place of the current one, or privately."""
        layout, private = await rivals_layout(
            reply, self.one, self.other, self.game, everywhere=self.everywhere
        )
        if private and not reply.pressed_is_private:
            await reply.send(layout, public=False)
        else:
            await reply.replace(layout)


async def rivals_layout(
    reply: Reply, one: int, other: int, game: str | None, *, everywhere: bool
) -> tuple[Layout, bool]:
    """Return two players' head to head in one game or all, and whether only they may see it.

    Outside servers, all servers are combined. Raise NotForYou if it is for the two alone, and the
    reader is neither.
    """
    guild_id = None if everywhere else reply.home
    everywhere = guild_id is None
    private = everywhere or await is_private(reply, one, other)
    if private and reply.user_id not in {one, other}:
        raise NotForYou(say("Only these two can see their games."))
    found = await reply.get(Profiles).rivalry(one, other, guild_id, game=game)
    buttons = []
    if reply.home is not None:
        elsewhere = RivalsButton(one, other, not everywhere, game)
        buttons.append(elsewhere.component(scope(everywhere=not everywhere)))
        buttons.append(challenge_button(other))
    if found is None:
        body = words.strangers(other, game, everywhere=everywhere)
    else:
        public = not private and not reply.pressed_is_private
        latest = await _visible_matches(
            reply, found.latest, one, guild_id, other, game=game, public=public
        )
        found = replace(found, latest=latest)
        departed = await reply.get(Members).departed(guild_id, found.people)
        body = lines(words.rivalry(found, departed))
    return text_layout(body, *buttons), private
