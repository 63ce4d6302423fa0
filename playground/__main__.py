"""``python -m playground``: the playground alone, for a bot in another process."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from playground.activities.instances import local_origin
from playground.app import Playground
from playground.chat.page import attach as chat_page


async def _serve(port: int, token: str | None, activity: str | None) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Handled even if the parent ignores Ctrl-C for its children, as shells do for "&".
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with Playground(port=port, token=token, attach=[chat_page]) as playground:
        if activity is not None:
            playground.enable_activities(activity)
        print(f"page     {playground.url}/")
        print(f"REST     {playground.rest_url}")
        print(f"gateway  {playground.gateway_url}")
        print(f"files    {playground.cdn_url}")
        print(f"token    {playground.token}")
        print(f"secret   {playground.client_secret}")
        print("Stop with Ctrl-C.", flush=True)
        await stopped.wait()


def _page(url: str) -> str:
    try:
        return local_origin(url)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def main() -> int:
    """Serve until interrupted; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="any free one by default")
    parser.add_argument("--token", help="the bot's token (random by default)")
    parser.add_argument(
        "--activity",
        metavar="URL",
        type=_page,
        help="a page on this machine that is the bot's Activity",
    )
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.token, arguments.activity))
    return 0


if __name__ == "__main__":
    sys.exit(main())
