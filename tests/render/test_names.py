"""Players' names stand on their seats' panels, whatever they are called, and cost next to nothing."""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine.game import Outcome
from engine.games.tablut.board import MUSCOVITES, SWEDES
from engine.registry import game, games
from engine.scene import Ink, Polygon, Scene, Text
from engine.turning import turned
from render import Painter
from render import painter as painter_module
from render.fonts import extent
from render.names import named

TABLES: Final = [(slug, players) for slug, rules in games().items() for players in rules.players]
ANN: Final = "Ann"
HOSTILE: Final = "\u202ekooL\u2066\u0007🔥 A\u0301\u0301\u0301\u0301nn"


def labels(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.above if isinstance(shape, Text)]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_game_names_its_players_on_their_panels(slug: str, players: int) -> None:
    rules = games()[slug]
    scene = rules.scene(rules.initial(players=players))
    seats = rules.seats(players)
    assert [s.seat for s in scene.above if isinstance(s, Text) and s.seat is not None] == [*seats]
    names = tuple((int(seat), f"Name{seat}") for seat in seats)
    shown = named(scene, names)
    assert {name for _, name in names} <= set(labels(shown))
    assert shown.board is scene.board
    assert shown.tokens is scene.tokens


def test_a_seat_whose_player_has_no_name_that_can_be_drawn_keeps_its_own() -> None:
    scene = game("tablut").scene(game("tablut").initial())
    assert named(scene, ((0, "🔥🔥"),)) is scene
    assert named(scene, ()) is scene
    shown = labels(named(scene, ((int(MUSCOVITES), "🔥"), (int(SWEDES), ANN))))
    assert {"Muscovites", ANN} <= set(shown)


def test_a_name_is_cleaned_and_cut_to_its_room() -> None:
    scene = game("tablaaza").scene(game("tablaaza").initial())
    first = next(s.seat for s in scene.above if isinstance(s, Text) and s.seat is not None)
    (clean, *_) = labels(named(scene, ((first, HOSTILE),)))
    assert not set(clean) & set("\u202e\u2066\u0007🔥")
    (cut, *_) = labels(named(scene, ((first, "Bartholomew Featherstonehaugh"),)))
    assert cut.startswith("Barthol")
    assert cut.endswith("…")


def test_a_name_beside_a_medal_is_written_smaller_rather_than_cut() -> None:
    rules = game("tablut")
    start = rules.initial()
    won = rules.scene(start, over=True, result=Outcome((1, 2), "resigned"))
    plain = rules.scene(start)
    names = ((int(SWEDES), "Computer"), (int(MUSCOVITES), "Computer"))
    for scene in (won, plain):
        shown = [s for s in named(scene, names).above if isinstance(s, Text) and s.seat is not None]
        assert [s.text for s in shown] == ["Computer", "Computer"]
        (figure,) = [s for s in scene.above if isinstance(s, Text) and s.text == "8+1"]
        for one in shown[:1]:
            end = one.x + (extent(one.text, 100, "lm", bold=True)[2]) * one.size / 100
            begin = figure.x - (extent(figure.text, 100, "lm", bold=True)[2]) * figure.size / 100
            assert begin - end > 0.2, "a name and a number are not read as one"


def test_the_seat_stands_beside_the_name_where_all_panels_have_room() -> None:
    scene = game("tablaaza").scene(game("tablaaza").initial())
    both = named(scene, ((0, ANN), (1, "Ben")))
    quiet = [s.text for s in both.above if isinstance(s, Text) and s.ink is Ink.PAGE_QUIET]
    assert {"Red", "Green"} <= set(quiet)
    long = labels(named(scene, ((0, ANN), (1, "Bartholomew Featherstonehaugh"))))
    assert not {"Red", "Green"} & set(long)


def test_names_move_with_their_panels_when_the_board_is_turned() -> None:
    scene = named(game("tablan").scene(game("tablan").initial()), ((0, ANN), (1, "Ben")))

    def heights(shown: Scene) -> dict[str, float]:
        return {s.text: s.y for s in shown.above if isinstance(s, Text)}

    assert heights(scene)[ANN] > heights(scene)["Ben"]
    assert heights(turned(scene, 2))[ANN] < heights(turned(scene, 2))["Ben"]


def test_in_the_second_game_of_two_the_names_have_swapped_sides() -> None:
    rules: Any = game("tablut")
    start = rules.write_position(rules.initial({"match": "true"}))
    line = start.replace("game=1 moves=0,0", "game=2 moves=0,0 first=draw")
    scene = rules.scene(rules.read_position(line, {"match": "true"}))
    seats = {s.text: s.seat for s in scene.above if isinstance(s, Text) and s.seat is not None}
    assert seats == {"Swedes": int(MUSCOVITES), "Muscovites": int(SWEDES)}


def test_only_the_winner_of_a_game_has_a_medal() -> None:
    rules: Any = game("tablaaza")
    state = rules.initial()

    def medals(scene: Scene) -> int:
        return sum(isinstance(s, Polygon) and s.fill is Ink.GOLD for s in scene.above)

    assert medals(rules.scene(state)) == 0
    while rules.outcome(state) is None:
        state = rules.after(state, rules.legal_moves(state)[0])
    assert medals(rules.scene(state)) == 1


def test_a_picture_with_names_is_found_again_after_those_of_other_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compressed: list[object] = []
    packed = painter_module._packed

    def counted(*given: Any) -> Any:
        compressed.append(given)
        return packed(*given)

    monkeypatch.setattr(painter_module, "_packed", counted)
    painter, rules = Painter(), game("tablut")
    scene = rules.scene(rules.initial())
    first = named(scene, ((int(MUSCOVITES), ANN), (int(SWEDES), "Ben")))
    picture = painter.png(first)
    for number in range(800):
        painter.png(
            named(scene, ((int(MUSCOVITES), f"Carol {number}"), (int(SWEDES), f"Dan {number}")))
        )
    compressed.clear()
    assert painter.png(first) == picture
    assert compressed == []
