"""Routes of interactions: the first answer, and the messages that an interaction's token opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground import payloads
from playground.errors import ApiError

if TYPE_CHECKING:
    from playground.interaction import Interaction
    from playground.interactions import Interactions
    from playground.messages import Messages
    from playground.model import Message
    from playground.rest.api import Call, Handler, Result
    from playground.world import World


class InteractionRoutes:
    """Serves ``/interactions`` and ``/webhooks``. These routes ask for no bot token."""

    def __init__(self, world: World, messages: Messages, interactions: Interactions) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions

    def table(self) -> dict[str, Handler]:
        """List the routes."""
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        return {
            "POST /interactions/{interaction_id}/{interaction_token}/callback": self.answer,
            f"POST {hook}": self.follow_up,
            f"GET {hook}/messages/@original": self.get_original,
            f"PATCH {hook}/messages/@original": self.edit_original,
            f"DELETE {hook}/messages/@original": self.delete_original,
            f"GET {hook}/messages/{{message_id}}": self.get,
            f"PATCH {hook}/messages/{{message_id}}": self.edit,
            f"DELETE {hook}/messages/{{message_id}}": self.delete,
        }

    def answer(self, call: Call) -> Result:
        """Take the first answer."""
        interaction = self._interactions.waiting(
            call.id("interaction_id"), call.params["interaction_token"]
        )
        self._interactions.take(interaction, call.body.json, call.body.files, call.problems)
        if call.query.get("with_response") in {"1", "true", "True"}:
            return 200, self._interactions.callback_described(interaction)
        return 204, None

    def _interaction(self, call: Call) -> Interaction:
        if call.id("webhook_id") != self._world.application.id:
            raise ApiError(10015)
        return self._interactions.by_token(call.params["webhook_token"])

    def follow_up(self, call: Call) -> Result:
        """Post a further message."""
        message = self._interactions.follow_up(
            self._interaction(call), call.json, call.body.files, call.problems
        )
        return 200, payloads.message(message)

    def _original(self, call: Call) -> Message:
        return self._interactions.original(self._interaction(call))

    def get_original(self, call: Call) -> Result:
        """Show the message of the first answer."""
        return 200, payloads.message(self._original(call))

    def edit_original(self, call: Call) -> Result:
        """Change the message of the first answer."""
        message = self._original(call)
        self._messages.edit(message, call.json, call.body.files, call.problems)
        return 200, payloads.message(message)

    def delete_original(self, call: Call) -> Result:
        """Delete the message of the first answer."""
        self._messages.delete(self._original(call))
        return 204, None

    def _theirs(self, call: Call) -> Message:
        interaction = self._interaction(call)
        wanted = call.id("message_id")
        for message in (interaction.original, *interaction.followups):
            if message is not None and message.id == wanted and not message.deleted:
                return message
        raise ApiError(10008)

    def get(self, call: Call) -> Result:
        """Show a message of this interaction."""
        return 200, payloads.message(self._theirs(call))

    def edit(self, call: Call) -> Result:
        """Change a message of this interaction."""
        message = self._theirs(call)
        self._messages.edit(message, call.json, call.body.files, call.problems)
        return 200, payloads.message(message)

    def delete(self, call: Call) -> Result:
        """Delete a message of this interaction."""
        self._messages.delete(self._theirs(call))
        return 204, None
