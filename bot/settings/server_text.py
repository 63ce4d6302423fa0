"""What a server has chosen, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.i18n.mentions import who
from engine.phrase import lines, listed, plural, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import discord

    from bot.moderation.rated_play import KeptOut
    from bot.settings.declarations import ServerSettings


def summary(
    settings: ServerSettings,
    guild: discord.Guild | None,
    spoken: dict[str, str],
    kept_out: KeptOut,
) -> str:
    """Return what a server has chosen, a line each; what is not there any more is said so."""
    known = known_channels(guild)
    gone = [c for c in settings.channels if known is not None and c not in known]
    told = [
        say("### How this server plays"),
        _channels_line(settings, gone),
        say("**Place:** each match gets a thread of its own, where I may make one")
        if settings.threads
        else say("**Place:** in the channel itself"),
        say("**Boards:** a new message each turn")
        if settings.board == "new"
        else say("**Boards:** one message that changes, with a short ping beside it"),
        plural("**Time for a move:** {n} day", "**Time for a move:** {n} days", settings.days),
        say("**Out of time:** the opponent may claim the win")
        if settings.forfeit == "claim"
        else say("**Out of time:** the match is lost at once"),
        *_ratings_lines(settings, kept_out),
        say("**Look:** {theme}", theme=THEMES[settings.theme]),
        say("**Language:** the one that Discord tells of this server")
        if settings.language is None
        else say("**Language:** {name}", name=spoken.get(settings.language, settings.language)),
        _log_line(settings, known),
    ]
    if gone:
        told.append(
            say(
                "-# A channel that was deleted goes from the list with your next choice of channels."
            )
        )
    return lines(told)


THEMES: Final = {
    "wood": say("wood"),
    "night": say("night"),
    "contrast": say("high contrast"),
}
"""How each look is called."""


def _channels_line(settings: ServerSettings, gone: Sequence[int]) -> str:
    if not settings.channels:
        return say("**Channels:** games may be played in all of them")
    named = [f"<#{c}>" for c in settings.channels if c not in gone]
    if gone:
        named.append(
            plural("{n} channel that was deleted", "{n} channels that were deleted", len(gone))
        )
    return say("**Channels:** games may be played in {channels}", channels=listed(named))


def _ratings_lines(settings: ServerSettings, kept_out: KeptOut) -> Iterator[str]:
    if settings.rated:
        yield say("**Ratings:** matches count, unless their challenge says that they are casual")
    else:
        yield say("**Ratings:** all matches are casual and change none")
    if kept_out.people:
        named = [who(user_id) for user_id in kept_out.people]
        if kept_out.more:
            named.append(plural("{n} more person", "{n} more people", kept_out.more))
        yield say(
            "**Kept out of rated play:** {people}. `/server rated` lets them in again.",
            people=listed(named),
        )


def _log_line(settings: ServerSettings, known: set[int] | None) -> str:
    channel = settings.log_channel
    if channel is None:
        return say("**What moderators do:** only in the list of `/server audit`")
    if known is not None and channel not in known:
        return say("**What moderators do:** told in a channel that was deleted; choose another one")
    return say("**What moderators do:** told in {channel} as well", channel=f"<#{channel}>")


def known_channels(guild: discord.Guild | None) -> set[int] | None:
    """Return the channels that a server has, ``None`` where the server is not known."""
    return None if guild is None else {channel.id for channel in guild.channels}
