"""Discord's routes, as faults and logs of requests name them."""

from typing import Final

CALLBACK: Final = "POST /interactions/{interaction_id}/{interaction_token}/callback"
CHANNEL: Final = "GET /channels/{channel_id}"
COMMANDS: Final = "PUT /applications/{application_id}/commands"
DELETE: Final = "DELETE /channels/{channel_id}/messages/{message_id}"
DELETE_ANSWER: Final = "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original"
EDIT: Final = "PATCH /channels/{channel_id}/messages/{message_id}"
EDIT_ANSWER: Final = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
EDIT_CHANNEL: Final = "PATCH /channels/{channel_id}"
FOLLOW_UP: Final = "POST /webhooks/{webhook_id}/{webhook_token}"
HISTORY: Final = "GET /channels/{channel_id}/messages"
MESSAGE: Final = "GET /channels/{channel_id}/messages/{message_id}"
OPEN: Final = "POST /users/@me/channels"
POST: Final = "POST /channels/{channel_id}/messages"
THREAD: Final = "POST /channels/{channel_id}/messages/{message_id}/threads"
