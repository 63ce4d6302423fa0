"""Everything a game says can be translated."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from engine.errors import BadOption, RulesError
from engine.game import CHANCE
from engine.menu import choices
from engine.phrase import capital, say, translated, word
from engine.registry import AnyGame
from engine.scene import Scene, drawn
from engine.scene import translated as pictured
from tests.contract.games import Case, Step, whole_game
from tests.contract.tongue import Marked, untranslatable

TONGUE = Marked()
LAST = 9
"""How many moves a picture mentions."""


def kinds(game: AnyGame) -> Iterator[tuple[dict[str, str], int]]:
    """Yield options and numbers of players that together use every value of each."""
    yield {}, game.players[0]
    for option in game.options:
        for value in option.values:
            if value != option.default:
                yield {option.name: value}, game.players[0]
    for players in game.players[1:]:
        yield {}, players


def games(case: Case) -> Iterator[tuple[list[Step], Any]]:
    """Yield a random game, start to end, for each kind."""
    for number, (options, players) in enumerate(kinds(case.game)):
        yield whole_game(case.game, f"words {number}", case.game.settle(options), players)


def check(game: AnyGame, said: Iterable[tuple[str, str]], names: Sequence[str] = ()) -> None:
    """Fail for each untranslatable word, showing where it is used."""
    found: dict[tuple[str, str], str] = {}
    for where, words in said:
        spoken = translated(words, TONGUE)
        for lost in untranslatable(spoken, names):
            found.setdefault((where, lost), str(words))
    if found:
        texts = [f"  {where}: {lost!r} in {words!r}" for (where, lost), words in found.items()]
        pytest.fail(
            f"{game.slug} says words that are no part of a phrase (see engine/phrase.py):\n"
            + "\n".join(texts[:20])
        )


def notation(game: AnyGame, steps: Iterable[Step]) -> list[str]:
    """Return the words in a game's notation, the same in all languages."""
    return [text for step in steps for text in re.findall("[a-z]{2,}", game.write(step.move))]


def test_words_outside_phrases_are_found() -> None:
    seat = word("seat", "white")
    good = say("{seat} throws {score}: {move}", seat=capital(seat), score=8, move="a1-b1")
    assert untranslatable(translated(good, TONGUE)) == ()
    assert untranslatable(translated(say("{seat} throws", seat="white"), TONGUE)) == ("white",)
    assert untranslatable(translated(f"{seat} throws", TONGUE)) == ("white", "throws")
    assert untranslatable(translated(seat.upper(), TONGUE)) == ("WHITE",)
    assert untranslatable("⟦told⟧ twins", ["twins"]) == ()


def test_facts_rules_and_options_can_be_translated(case: Case) -> None:
    game = case.game
    said = [("summary", game.summary), ("notation_help", game.notation_help)]
    said += [("seat_names", name) for name in game.seat_names]
    said += [(f"rule {rule.name}", rule.sentence) for rule in game.rules]
    for option in game.options:
        said += [(f"option {option.name}", told) for told in (option.name, option.summary)]
        said += [(f"value of {option.name}", value) for value in option.values]
    check(game, said)
    assert all(translated(words, TONGUE) != words for _, words in said)


def test_descriptions_of_moves_and_endings_can_be_translated(case: Case) -> None:
    game = case.game
    for steps, state in games(case):
        said = [("tell", game.tell(step.state, step.move)) for step in steps]
        for number, step in enumerate(steps):
            if number % 10 == 0:
                said += [("side", game.side(step.state, seat)) for seat in game.seats(2)]
                said.append(("stage", game.stage(step.state)))
        outcome = game.outcome(state)
        assert outcome is not None
        said.append(("outcome", outcome.reason))
        check(game, said, notation(game, steps))


def test_menus_can_be_translated(case: Case) -> None:
    game = case.game
    for steps, _ in games(case):
        said: list[tuple[str, str]] = []
        for state, _ in [step for step in steps if game.actor(step.state) is not CHANCE][::7]:
            offered = choices(game, state)
            said += [("entry", one.label) for one in offered]
            said += [("note", one.note) for one in offered]
            for one in offered:
                if one.move is None:
                    said.append(("question", game.steps_label(state, one.steps).question))
                    said += [("entry", two.label) for two in choices(game, state, one.steps)]
        check(game, said, notation(game, steps))


def test_pictures_can_be_translated(case: Case) -> None:
    game = case.game
    for steps, state in games(case):
        names = notation(game, steps)
        step = max(1, len(steps) // 12)
        for end in (*range(0, len(steps), step), len(steps)):
            here = steps[end].state if end < len(steps) else state
            last = [tuple(entry) for entry in steps[max(0, end - LAST) : end]]
            for over in (False, True):
                check(
                    game,
                    words_of_picture(pictured(game.scene(here, last, over=over), TONGUE)),
                    names,
                )
            if end < len(steps):
                chosen = game.steps(steps[end].move)[:-1]
                check(
                    game, words_of_picture(pictured(game.scene(here, last, chosen), TONGUE)), names
                )


def words_of_picture(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield all words of a picture, in its description and on it."""
    yield "alt", scene.alt
    # A board row begins and ends with its number; its letters are symbols.
    rows = scene.text.splitlines()
    yield "text", "\n".join(row for row in rows if not re.fullmatch(r"\d.*\d", row))
    yield from (("picture", words) for words in drawn(scene))


def test_refusals_can_be_translated(case: Case) -> None:
    game = case.game
    for steps, state in games(case):
        dice = random.Random(len(steps))
        names = notation(game, steps)
        texts = list(dict.fromkeys(game.write(step.move) for step in steps))
        for step in dice.sample(steps, min(len(steps), 60)):
            typed = [*dice.sample(texts, min(len(texts), 8)), *mangled(dice, texts, 8)]
            check(game, refused(game, step.state, typed), [*names, *typed])
        check(game, refused(game, state, texts[:1]), names)


def mangled(dice: random.Random, texts: list[str], number: int) -> list[str]:
    """Return moves with errors in them, and texts that are no moves."""
    signs = "abcdefghijklmnoz0123456789-+,&*"
    found = [
        "".join(dice.choice(signs) if dice.random() < 0.3 else sign for sign in dice.choice(texts))
        for _ in range(number)
    ]
    return [*found, "pass", "zz", "a1-a1", "e2&+1", "in", "off", "twins"]


def refused(game: AnyGame, state: Any, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the error messages for texts that are not legal here."""
    for text in texts:
        try:
            game.read(state, text)
        except RulesError as error:
            yield f"refusal of {text}", error.sentence


def test_errors_about_options_can_be_translated(case: Case) -> None:
    game = case.game
    names = [game.title, *(option.name for option in game.options)]
    names += [value for option in game.options for value in option.values]
    wrong: list[tuple[dict[str, str], int]] = [({"ho": "ho"}, game.players[0]), ({}, 9)]
    wrong += [({option.name: "ho"}, game.players[0]) for option in game.options]
    texts = []
    for options, players in wrong:
        with pytest.raises(BadOption) as caught:
            game.initial(options, players)
        texts.append(("option", caught.value.sentence))
    check(game, texts, [*names, "ho"])
