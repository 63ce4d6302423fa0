"""Creates interactions, accepts the bot's responses, and expires them.

::

    WAITING --(callback within 3 s)--> RESPONDED --(15 min)--> the token is invalid
       |
       +--(3 s pass)--> FAILED: the person sees "The application did not respond"

Channel permissions do not restrict responses: an application may always attach files and embed
links (discord-api-docs#5316). Its other permissions in the channel are in ``app_permissions``.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from playground.activities.instances import Activities
from playground.errors import JSON, ApiError, InteractionFailed
from playground.events import InteractionClosed, InteractionCreated
from playground.interaction import (
    TYPED,
    Interaction,
    InteractionState,
    InteractionType,
    ResponseType,
)
from playground.limits.message import check_choices, check_modal
from playground.limits.problems import Problems
from playground.messages import Messages
from playground.model import Channel, Message, MessageFlag, User
from playground.uploads import Upload
from playground.world import World

ACKNOWLEDGE_SECONDS: Final = 3.0
TOKEN_SECONDS: Final = 900.0
MAX_USER_INSTALL_FOLLOW_UPS: Final = 5
MAX_REMEMBERED_FAILURES: Final = 10_000

_ALLOWED: Final[dict[InteractionType, frozenset[ResponseType]]] = {
    InteractionType.COMMAND: frozenset(
        {
            ResponseType.MESSAGE,
            ResponseType.DEFERRED_MESSAGE,
            ResponseType.MODAL,
            ResponseType.LAUNCH_ACTIVITY,
        }
    ),
    InteractionType.COMPONENT: frozenset(set(ResponseType) - {ResponseType.CHOICES}),
    InteractionType.AUTOCOMPLETE: frozenset({ResponseType.CHOICES}),
    InteractionType.MODAL: frozenset(
        set(ResponseType) - {ResponseType.CHOICES, ResponseType.MODAL}
    ),
}


class Interactions:
    """Creates interactions and handles their responses.

    Attributes:
        failed: the latest interactions that got no response in time, oldest first.
    """

    def __init__(self, world: World, messages: Messages, activities: Activities) -> None:
        self._world = world
        self._messages = messages
        self._activities = activities
        self._by_token: dict[str, Interaction] = {}
        self._in_order: deque[Interaction] = deque()
        self.failed: deque[Interaction] = deque(maxlen=MAX_REMEMBERED_FAILURES)

    def create(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: JSON,
        *,
        message: Message | None = None,
        stale_components: Sequence[JSON] | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        """Create an interaction and send it to the bot."""
        interaction = self._new(
            kind,
            user,
            channel,
            data,
            message=message,
            stale_components=stale_components,
            trigger=trigger,
        )
        interaction.timeout = self._world.clock.call_later(
            ACKNOWLEDGE_SECONDS, lambda: self._fail(interaction)
        )
        self._world.emit(InteractionCreated(interaction))
        return interaction

    def launch(self, user: User, channel: Channel, data: JSON) -> Interaction:
        """Launch the Activity without asking the bot, as its command may say."""
        interaction = self._new(InteractionType.COMMAND, user, channel, data)
        interaction.frame = self._activities.launch(user, channel)
        self._acknowledge(interaction, ResponseType.LAUNCH_ACTIVITY)
        return interaction

    def _new(
        self, kind: InteractionType, user: User, channel: Channel, data: JSON, **about: Any
    ) -> Interaction:
        world = self._world
        now = world.clock.time()
        self._forget_old(now)
        interaction = Interaction(
            world.ids.next(),
            secrets.token_urlsafe(48),
            kind,
            user,
            channel,
            data,
            now,
            asyncio.get_running_loop().create_future(),
            **about,
        )
        self._by_token[interaction.token] = interaction
        self._in_order.append(interaction)
        return interaction

    def _forget_old(self, now: float) -> None:
        while self._in_order and self._in_order[0].created_at < now - 2 * TOKEN_SECONDS:
            self._by_token.pop(self._in_order.popleft().token, None)

    def _fail(self, interaction: Interaction) -> None:
        if interaction.state is not InteractionState.WAITING:
            return
        interaction.state = InteractionState.FAILED
        interaction.failure = (
            "no bot answered within three seconds"
            if interaction.delivered
            else "no bot was connected that is told of this server"
        )
        self.failed.append(interaction)
        if not interaction.acknowledged.done():
            interaction.acknowledged.set_exception(
                InteractionFailed("The application did not respond within three seconds.")
            )
            interaction.acknowledged.exception()  # marks it as retrieved, in case nothing awaits it
        self._world.emit(InteractionClosed(interaction))

    def knows(self, token: str) -> bool:
        """Return whether a token belongs to an interaction, however old."""
        return token in self._by_token

    def waiting(self, interaction_id: int, token: str) -> Interaction:
        """Return an interaction that awaits its first response.

        Raises:
            ApiError: 10062 if unknown or expired, 40060 if already acknowledged.
        """
        interaction = self._by_token.get(token)
        if (
            interaction is None
            or interaction.id != interaction_id
            or interaction.state is InteractionState.FAILED
        ):
            raise ApiError(10062)
        if interaction.state is InteractionState.RESPONDED:
            raise ApiError(40060)
        return interaction

    def by_token(self, token: str) -> Interaction:
        """Return an interaction whose token is valid as a webhook token.

        Raises:
            ApiError: 50027 if unknown or expired, 10015 before the first response.
        """
        interaction = self._by_token.get(token)
        if interaction is None:
            raise ApiError(50027)
        if self._world.clock.time() - interaction.created_at > TOKEN_SECONDS:
            raise ApiError(50027)
        if interaction.state is not InteractionState.RESPONDED:
            raise ApiError(10015)
        return interaction

    def respond(
        self, interaction: Interaction, body: Any, files: Mapping[int, Upload], problems: Problems
    ) -> None:
        """Accept the first response.

        Raises:
            ApiError: if the response does not fit or breaks a limit; the interaction stays open.
        """
        kind = self._response_type(interaction, body, problems)
        data = body.get("data") or {}
        match kind:
            case ResponseType.MESSAGE:
                self._messages.send(
                    interaction.channel,
                    self._world.bot,
                    data,
                    files,
                    problems,
                    path=("data",),
                    interaction=interaction,
                    ephemeral_for=self._ephemeral_for(interaction, data),
                    kind=_message_type(interaction),
                )
            case ResponseType.DEFERRED_MESSAGE:
                self._check_deferral(data, problems)
                interaction.deferred = True
                self._messages.send_loading(
                    interaction,
                    ephemeral=self._ephemeral_for(interaction, data) is not None,
                    kind=_message_type(interaction),
                )
            case ResponseType.DEFERRED_UPDATE:
                interaction.original = interaction.message
            case ResponseType.UPDATE:
                target = interaction.message
                assert target is not None
                if target.deleted:
                    raise ApiError(10008)
                self._messages.edit(target, data, files, problems, path=("data",))
                interaction.original = target
            case ResponseType.CHOICES:
                check_choices(problems, data)
                problems.refuse()
                interaction.choices = data["choices"]
            case ResponseType.MODAL:
                check_modal(problems, data)
                problems.refuse()
                interaction.modal = data
            case ResponseType.LAUNCH_ACTIVITY:
                interaction.frame = self._activities.launch(interaction.user, interaction.channel)
        self._acknowledge(interaction, kind)

    def _response_type(
        self, interaction: Interaction, body: Any, problems: Problems
    ) -> ResponseType:
        number = body.get("type") if isinstance(body, dict) else None
        allowed = _ALLOWED[interaction.type]
        if interaction.type is InteractionType.MODAL and interaction.message is None:
            allowed -= {ResponseType.UPDATE}
        if self._world.application.activity_url is None:
            allowed -= {ResponseType.LAUNCH_ACTIVITY}
        for kind in allowed:
            if kind == number:
                problems.keys((), body, ("type", "data"))
                return kind
        problems.add(
            ("type",),
            "INTERACTION_RESPONSE_TYPE_INVALID",
            f"Value must be one of {sorted(map(int, allowed))}.",
        )
        raise problems.refusal()

    @staticmethod
    def _ephemeral_for(interaction: Interaction, data: JSON) -> User | None:
        ephemeral = int(data.get("flags") or 0) & MessageFlag.EPHEMERAL
        return interaction.user if ephemeral else None

    @staticmethod
    def _check_deferral(data: JSON, problems: Problems) -> None:
        for key, value in data.items():
            if key == "flags" and not int(value or 0) & ~MessageFlag.EPHEMERAL:
                continue
            problems.note(
                ("data", key),
                "DEFERRED_IGNORED",
                "A deferred answer may only say that it will be ephemeral.",
            )

    def _acknowledge(self, interaction: Interaction, response: ResponseType) -> None:
        interaction.state = InteractionState.RESPONDED
        interaction.response = response
        interaction.acknowledged_after = self._world.clock.time() - interaction.created_at
        if interaction.timeout is not None:
            interaction.timeout.cancel()
        if not interaction.acknowledged.done():
            interaction.acknowledged.set_result(None)
        self._world.emit(InteractionClosed(interaction))

    def follow_up(
        self,
        interaction: Interaction,
        body: JSON,
        files: Mapping[int, Upload],
        problems: Problems,
    ) -> Message:
        """Post a follow-up. After a deferral, the first one replaces the "is thinking" message."""
        original = interaction.original
        if (
            interaction.deferred
            and original is not None
            and original.loading
            and not original.deleted
        ):
            interaction.deferred = False
            return self._messages.edit(original, body, files, problems)
        if (
            "0" not in interaction.integration_owners
            and len(interaction.followups) >= MAX_USER_INSTALL_FOLLOW_UPS
        ):
            raise ApiError(40094)
        return self._messages.send(
            interaction.channel,
            self._world.bot,
            body,
            files,
            problems,
            interaction=interaction,
            ephemeral_for=self._ephemeral_for(interaction, body),
        )


def _message_type(interaction: Interaction) -> int:
    """Return the type of a response: 20 to a typed command, 23 to a context menu command."""
    if interaction.type is InteractionType.COMMAND:
        return 20 if interaction.data["type"] in TYPED else 23
    return 0
