"""``python -m playground``: the playground alone, for a bot that runs elsewhere on this machine."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from playground.app import Playground
from playground.chat.page import attach as chat_page


async def _serve(port: int, token: str | None) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Also where whoever started this has told it to ignore Ctrl-C, as shells do behind "&".
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with Playground(port=port, token=token, attach=[chat_page]) as town:
        print(f"page     {town.url}/")
        print(f"REST     {town.rest_url}")
        print(f"gateway  {town.gateway_url}")
        print(f"files    {town.cdn_url}")
        print(f"token    {town.token}")
        print("Stop with Ctrl-C.", flush=True)
        await stopped.wait()


def main() -> int:
    """Serve until interrupted. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes any free one")
    parser.add_argument("--token", help="what the bot logs in with; a fresh one, if not said")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.token))
    return 0


if __name__ == "__main__":
    sys.exit(main())
