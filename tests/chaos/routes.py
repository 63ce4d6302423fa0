"""The routes of Discord that a turn uses."""

from __future__ import annotations

from typing import Final

CALLBACK: Final = "POST /interactions/{interaction_id}/{interaction_token}/callback"
ORIGINAL: Final = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
FOLLOW_UP: Final = "POST /webhooks/{webhook_id}/{webhook_token}"
REMOVE_ORIGINAL: Final = "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original"
POST: Final = "POST /channels/{channel_id}/messages"
EDIT: Final = "PATCH /channels/{channel_id}/messages/{message_id}"
DELETE: Final = "DELETE /channels/{channel_id}/messages/{message_id}"
THREAD: Final = "POST /channels/{channel_id}/messages/{message_id}/threads"
HISTORY: Final = "GET /channels/{channel_id}/messages"
FETCH: Final = "GET /channels/{channel_id}/messages/{message_id}"
