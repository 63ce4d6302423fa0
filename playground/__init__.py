"""A small Discord of one's own on the loopback address, for trying the bot and for its tests."""
