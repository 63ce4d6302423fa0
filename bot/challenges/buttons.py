"""The message of a challenge, with its buttons: accept, decline, leave, withdraw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import aiohttp
import discord
import structlog

from bot.challenges import text as challenges_text
from bot.challenges.service import Challenges
from bot.delivery.interaction_transport import place_of
from bot.interactions.controls import Button
from bot.interactions.errors import shows
from bot.interactions.layout import Layout, text_layout
from bot.interactions.views import NOBODY, View, only
from bot.permissions import play
from data.challenges import State
from data.errors import StoreError
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.errors import Refusal
    from bot.i18n.locales import Locales
    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.ratings.eligibility import Eligibility, UnratedReason
    from data.challenges import Challenge

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Answer = Literal["accept", "decline", "leave", "withdraw"]

_LABELS: Final[dict[Answer, str]] = {
    "accept": say("Accept"),
    "decline": say("Decline"),
    "leave": say("Leave"),
    "withdraw": say("Withdraw"),
}


class ChallengeButton(Button, prefix="c"):
    """Answers a challenge."""

    challenge_id: int
    answer: Answer

    async def press(self, reply: Reply) -> None:
        """Accept, decline, leave or withdraw; the last acceptance starts the match."""
        challenges = reply.get(Challenges)
        if self.answer == "accept":
            await self._accept(reply, challenges)
            return
        answers = {
            "decline": challenges.refuse,
            "leave": challenges.leave,
            "withdraw": challenges.withdraw,
        }
        changed = await answers[self.answer](self.challenge_id, reply.user_id)
        await reply.get(ChallengeMessages).update(reply, changed)

    async def _accept(self, reply: Reply, challenges: Challenges) -> None:
        challenge = await challenges.get(self.challenge_id)
        if challenge.state is State.OPEN:
            play.require_seen(reply, challenge)
            play.require_posts(reply, challenge.channel_id)
        # The id of this press is the player's salt: Discord chose it after the seed was sealed.
        challenge, _ = await challenges.accept(
            self.challenge_id,
            reply.user_id,
            str(reply.interaction.id),
            place=place_of(reply.interaction),
        )
        await reply.get(ChallengeMessages).update(reply, challenge)

    def labelled(self, label: str = "") -> Component:
        """Return the button, with its usual label if no other is given."""
        return self.component(
            label or _LABELS[self.answer],
            style="success" if self.answer == "accept" else "secondary",
        )


class ChallengeMessages:
    """Posts the messages of challenges and keeps them up to date."""

    def __init__(
        self,
        client: discord.Client,
        challenges: Challenges,
        eligibility: Eligibility,
        locales: Locales,
    ) -> None:
        """Post through a client, in the language of each server."""
        self._client = client
        self._challenges = challenges
        self._eligibility = eligibility
        self._locales = locales

    async def layout(self, challenge: Challenge) -> Layout:
        """Return the message of a challenge as it stands."""
        return _layout(challenge, await self._eligibility.reason(challenge))

    async def post(self, reply: Reply, offered: Challenge, *, public: bool | None = None) -> None:
        """Answer with a new challenge, and ping the players it names."""
        layout = await self.layout(offered)
        message_id = await reply.tell(layout, public=public, mentions=_named(offered))
        if message_id is not None:
            await self._challenges.set_message(offered.id, message_id)

    async def post_in_channel(self, challenge: Challenge) -> Challenge:
        """Post a challenge in its channel; return it as it is now.

        Raises:
            discord.HTTPException: it could not be posted.

        """
        layout = await self.layout(challenge)
        locale = await self._locales.of_guild(challenge.guild_id)
        sent = await self._client.get_partial_messageable(challenge.channel_id).send(
            view=View(layout, locale),
            nonce=f"c{challenge.id}",
            allowed_mentions=only(_named(challenge)),
        )
        await self._challenges.set_message(challenge.id, sent.id)
        return await self._challenges.get(challenge.id)

    async def update(self, reply: Reply, challenge: Challenge) -> None:
        """Show a changed challenge in the message that was pressed, and in its own."""
        pressed = reply.interaction.message
        elsewhere = pressed is None or pressed.id != challenge.message_id
        try:
            await reply.replace(await self.layout(challenge))
            if not elsewhere and _closed(challenge):
                await self._challenges.forget_message(challenge.id)
        finally:
            if elsewhere:
                await self.show(challenge)

    async def show(self, challenge: Challenge, *, thread: int | None = None) -> bool:
        """Bring the message of a challenge up to date; return whether that worked.

        The scheduler retries what fails for a closed challenge.

        Args:
            challenge: the challenge.
            thread: the thread in which its match is played.

        """
        if challenge.message_id is None:
            return True
        # Where the bot is only installed by its users, it cannot change old answers.
        if challenge.guild_id is not None and not await self._edit(
            challenge, challenge.message_id, thread
        ):
            return False
        if _closed(challenge):
            try:
                await self._challenges.forget_message(challenge.id)
            except StoreError as error:
                log.warning("could not note that a challenge is shown closed", why=str(error))
                return False
        return True

    async def _edit(self, challenge: Challenge, message_id: int, thread: int | None) -> bool:
        layout = _layout(challenge, await self._eligibility.reason(challenge), thread)
        locale = await self._locales.of_guild(challenge.guild_id)
        channel = self._client.get_partial_messageable(challenge.channel_id)
        try:
            await channel.get_partial_message(message_id).edit(
                view=View(layout, locale), allowed_mentions=NOBODY
            )
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 429:
                log.warning("a challenge could not be shown, trying again", status=error.status)
                return False
            # Deleted, or closed to the bot: a press on it is answered all the same.
            log.info("a challenge cannot be shown", code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("a challenge could not be shown, trying again", why=str(error))
            return False
        return True


@shows(lambda refusal: refusal.withdrawable is not None)
async def offer_withdrawal(reply: Reply, refusal: Refusal) -> None:
    """Answer that there are too many challenges with a button that withdraws one."""
    assert refusal.withdrawable is not None
    button = ChallengeButton(refusal.withdrawable, "withdraw")
    await reply.tell(text_layout(refusal.sentence, button.labelled()), public=False)


def _layout(
    challenge: Challenge, unrated: UnratedReason | None, thread: int | None = None
) -> Layout:
    game = registry.game(challenge.game)
    words = challenges_text.text(challenge, game, thread=thread, unrated=unrated)
    answers = _answers(challenge) if challenge.state is State.OPEN else ()
    return text_layout(words, *(ChallengeButton(challenge.id, one).labelled() for one in answers))


def _answers(challenge: Challenge) -> Iterator[Answer]:
    others = challenge.invited[1:]
    yield "accept"
    if any(one.named for one in others):
        yield "decline"
    if any(one.joined is not None for one in others):
        yield "leave"
    yield "withdraw"


def _named(challenge: Challenge) -> list[int]:
    """Return the players a challenge pings: invited players without an answer."""
    return [one.user_id for one in challenge.invited if one.joined is None]


def _closed(challenge: Challenge) -> bool:
    """Return whether a challenge was closed without a match."""
    return challenge.state not in {State.OPEN, State.STARTED}
