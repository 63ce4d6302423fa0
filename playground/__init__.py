"""A small Discord on the loopback interface, to try the bot in and to test it.

::

    async with Playground() as playground:
        with point_discord_here(playground):
            ...                                   # start a bot with playground.token
            ann = playground.person("Ann")
            reply = await ann.slash("/hello", channel="general")
            await ann.press(reply.message, "Again")

Import its parts from their modules: joining a playground then does not load the server.
"""
