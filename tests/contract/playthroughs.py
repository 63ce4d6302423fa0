"""Recorded whole games as text, which show any change to rules, notation or wording.

`python -m tests.contract.playthroughs` records them again; check the difference before you commit
it. Each game has one for every rule set and one for the most players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.registry import AnyGame
from tests.contract.games import Case, cases, whole_game


def folder(case: Case) -> Path:
    """Return the folder of a game's playthroughs."""
    return case.folder / "playthroughs"


def as_text(game: AnyGame, options: dict[str, str], players: int, log: Iterable[str]) -> str:
    """Return a game as text: every position, its number of moves, and the move played."""
    return "\n".join(_lines(game, options, players, log)) + "\n"


def parsed(text: str) -> tuple[dict[str, str], int, list[str]]:
    """Return the options, the number of players and the log of a playthrough."""
    head, *lines = text.splitlines()
    _, players, *options = head.split()
    log = [line.split()[0] for line in lines if line.startswith("  ")]
    return dict(o.split("=") for o in options), int(players.partition("=")[2]), log


def main() -> None:
    """Record all playthroughs."""
    for case in cases():
        folder(case).mkdir(exist_ok=True)
        for old in folder(case).glob("*.txt"):
            old.unlink()
        for name, options, players in _kinds(case.game):
            steps, _ = whole_game(case.game, name, options, players)
            log = [case.game.write(step.move) for step in steps]
            text = as_text(case.game, options, players, log)
            (folder(case) / f"{name}.txt").write_text(text, encoding="utf-8")


def _kinds(game: AnyGame) -> Iterator[tuple[str, dict[str, str], int]]:
    sets = [(o.name, value) for o in game.options if o.presets for value in o.values]
    for name, value in sets or [("", "usual")]:
        yield value, game.settle({name: value} if name else {}), game.players[0]
    if len(game.players) > 1:
        yield f"{game.players[-1]}-players", game.settle(), game.players[-1]


def _lines(
    game: AnyGame, options: dict[str, str], players: int, log: Iterable[str]
) -> Iterator[str]:
    chosen = "".join(f" {name}={value}" for name, value in options.items())
    yield f"{game.slug} players={players}{chosen}"
    state = game.initial(options, players)
    for text in log:
        move = game.read(state, text)
        yield f"{game.write_position(state)} · {len(game.legal_moves(state))}"
        yield f"  {text} · {game.tell(state, move)}"
        state = game.apply(state, move)
    yield game.write_position(state)
    outcome = game.outcome(state)
    yield "unfinished" if outcome is None else f"{outcome.ranks} {outcome.reason}"


if __name__ == "__main__":
    main()
