"""The gateway: the WebSocket over which bots receive events."""
