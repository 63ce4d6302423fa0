"""Tablan as a `Game`: what happens when the sticks fall and when a man walks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from engine.errors import IllegalMove
from engine.game import CHANCE, Actor, Entry, Game, Option, Outcome, Seat
from engine.games.tablan import (
    move_labels,
    notation,
    position,
    reasons,
    refusals,
    sentences,
    story,
    verdict,
    walking,
)
from engine.games.tablan.board import GOAL, OUTSIDE
from engine.games.tablan.documents import DOCUMENTS, RULES
from engine.games.tablan.lessons import LESSONS
from engine.games.tablan.scene import scene as picture
from engine.games.tablan.state import (
    BLACK,
    SCORES,
    WHITE,
    Move,
    Phase,
    Settings,
    Split,
    State,
    Throw,
    Walk,
    first,
)
from engine.move_label import MoveLabel, StepsLabel, Worth
from engine.phrase import say, word
from engine.scene import Scene

THROWS: Final[tuple[Move, ...]] = tuple(Throw(plain) for plain in SCORES)
ODDS: Final[Mapping[Move, Fraction]] = MappingProxyType(
    {throw: Fraction(ways, 16) for throw, ways in zip(THROWS, (1, 4, 6, 4, 1), strict=True)}
)
"""Four sticks, each equally likely to fall either side up."""
_STARTING: Final = 1
"""The number of plain sides that starts the game (W3)."""


class Tablan(Game[State, Move]):
    """A running fight on four rows of twelve squares, from Walker's leaflet or Bell's."""

    slug = "tablan"
    title = "Tablan"
    summary = say(
        "A running fight from Mysore: throw four sticks, take men, fill the enemy's home row."
    )
    usual_turns = 50
    rules_version = 1
    seat_names = verdict.NAMES
    players = range(2, 3)
    documents = DOCUMENTS
    rules = RULES
    lessons = LESSONS
    notation_help = notation.HELP
    options = (
        Option(
            word("option", "rules"),
            say("whose rules to play by; this sets the other options"),
            (word("option value", "walker"), word("option value", "bell")),
            "walker",
            {"bell": {"course": "opposed", "unlock": "two", "end": "both-done"}},
            {
                "walker": say("Both sides walk each row the same way, until one is home"),
                "bell": say("Head-on. A man starts with a 2. Until both sides are home"),
            },
        ),
        Option(
            word("option", "course"),
            say("whether the two sides walk each row the same way or head-on"),
            (word("option value", "alongside"), word("option value", "opposed")),
            "alongside",
        ),
        Option(
            word("option", "unlock"),
            say("whether a man's first move needs a throw of 2"),
            (word("option value", "none"), word("option value", "two")),
            "none",
        ),
        Option(
            word("option", "order"),
            say("in which order the squares of the last row must be taken"),
            (
                word("option value", "free"),
                word("option value", "furthest-first"),
                word("option value", "nearest-first"),
            ),
            "free",
        ),
        Option(
            word("option", "end"),
            say("whether the game ends when one side has finished or both"),
            (word("option value", "one-done"), word("option value", "both-done")),
            "one-done",
        ),
        Option(
            word("option", "tie"),
            say("who wins when both have as many men home"),
            (word("option value", "draw"), word("option value", "first-finisher")),
            "draw",
        ),
    )

    def seats(self, players: int) -> tuple[Seat, ...]:  # noqa: ARG002 - always two
        """Return both seats."""
        return (WHITE, BLACK)

    def quarter_turns(self, state: State, seat: Seat) -> int:  # noqa: ARG002 - always the same
        """Return half a turn for Black, whose men start at the top."""
        return 2 if seat == BLACK else 0

    def start(self, options: Mapping[str, str], players: int) -> State:  # noqa: ARG002 - always two
        """Return the men in their home rows, White to throw first for the start."""
        return first(Settings.of(options))

    def actor(self, state: State) -> Actor:
        """Return the seat with a score in hand, else chance."""
        return state.seat if state.phase is Phase.MOVE else CHANCE

    def turn(self, state: State) -> Seat | None:
        """Return the seat that throws or plays its throw."""
        return None if state.phase is Phase.START else state.seat

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return every throw, or every way to play the score in hand in full."""
        if state.phase is Phase.MOVE:
            return walking.moves(state)
        return () if state.phase is Phase.OVER else THROWS

    def odds(self, state: State) -> Mapping[Move, Fraction]:
        """Return the chance of each number of plain sides."""
        return ODDS if state.phase in {Phase.START, Phase.THROW} else {}

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended; `after` has already worked it out."""
        return verdict.judged(state) if state.phase is Phase.OVER else None

    def after(self, state: State, move: Move) -> State:
        """Return the position after a legal throw or move."""
        if isinstance(move, Throw):
            return _thrown(state, move.plain)
        return _settled(state, *_moved(state, move))

    def ends(self, state: State, move: Move) -> Worth | None:
        """Return how a move ends the game; fast, since menus ask for every move and few do."""
        if not isinstance(move, Throw) and not verdict.ended(state.settings, *_moved(state, move)):
            return None
        return super().ends(state, move)

    def effect(self, state: State, move: Move) -> Hashable:
        """Return where all men stand after a move, and which are fresh where that matters.

        A man that walks a whole throw over another of its side often does what both do by halves.
        """
        if isinstance(move, Throw):
            return move
        men, fresh = _moved(state, move)
        return men, fresh if state.settings.unlock else None

    def steps(self, move: Move) -> tuple[str, ...]:
        """Return a throw or a whole move as one step, a split as two."""
        return notation.steps(move)

    def routes(self, state: State, move: Move) -> tuple[tuple[str, ...], ...]:
        """Return the squares of each man's walk."""
        course = state.course(state.seat)
        places = {square: place for place, square in enumerate(course)}
        return tuple(
            course[places[way[0]] : places[way[-1]] + 1] or way for way in self.ways(state, move)
        )

    def parse(self, state: State, text: str) -> Move:
        """Return the move that the text writes; the usual one for a split that works both ways."""
        move = notation.read(text)
        if isinstance(move, Split) and state.phase is Phase.MOVE:
            turned = Split(move.second, move.first)
            if turned in walking.moves(state) and refusals.reason(state, move) is None:
                return turned
        return move

    def tell(self, state: State, move: Move) -> str:
        """Return a sentence: with the thrower for a throw, without the mover for a move."""
        return sentences.sentence(state, move, self.after(state, move))

    def tell_throws(self, throws: Sequence[tuple[State, Move]], *, moved: bool) -> tuple[str, ...]:
        """Return the throws that nobody could play in one sentence; a move tells its own."""
        return sentences.throws(throws, self.tell, moved=moved)

    def goal(self, state: State, seat: Seat) -> str:  # noqa: ARG002 - the same for both
        """Return what decides a game (rules W17 to W19, B12), and what a lock means (B3)."""
        goal = say(
            "Bring your men to the far row, or take every enemy. Once all the men that one side "
            "has left are there, the side with more of them there wins."
        )
        if state.settings.both_done:
            goal = say(
                "Bring your men to the far row, or take every enemy. Once all the men that both "
                "sides have left are there, the side with more of them there wins."
            )
        if not state.settings.unlock:
            return goal
        # Translators: goal is a sentence or two.
        return say("{goal} A locked man starts only with a 2.", goal=goal)

    def move_label(self, state: State, move: Move) -> MoveLabel:
        """Return who walks where and takes whom, or a throw's meaning."""
        return (
            super().move_label(state, move)
            if isinstance(move, Throw)
            else move_labels.move_label(state, move)
        )

    def risk(self, state: State, move: Move) -> str:
        """Return the throws that could take the man that moves."""
        if isinstance(move, Throw):
            return ""
        return move_labels.risk(state.settings, state.seat, *_moved(state, move), move)

    def reason(self, state: State, move: Move) -> str:
        """Return the men it brings out of reach or home."""
        if isinstance(move, Throw):
            return ""
        return reasons.reason(state, move, self.after(state, move))

    def price(self, state: State, move: Move) -> str:
        """Return the men it brings within reach."""
        if isinstance(move, Throw):
            return ""
        return reasons.price(state, move, self.after(state, move))

    def steps_label(self, state: State, steps: tuple[str, ...]) -> StepsLabel:
        """Return the first half of a split throw."""
        return move_labels.steps_label(state, steps)

    def story(self, log: Sequence[Entry[State, Move]], end: State) -> str:
        """Return who was ahead since when, and the longest run of throws."""
        return story.story(log, end)

    def refuse(self, state: State, move: Move) -> IllegalMove | None:
        """Return the rule that forbids a move, from the document in use."""
        return refusals.reason(state, move)

    def scene(
        self,
        state: State,
        last: Sequence[tuple[State, Move]] = (),
        chosen: tuple[str, ...] = (),
        *,
        over: bool = False,
        result: Outcome | None = None,
    ) -> Scene:
        """Return the picture of a position."""
        return picture(state, last, chosen, over=over, result=result)

    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> State:
        """Return the position that a line describes."""
        return position.read(text, Settings.of(self.settle(options)))

    def write_position(self, state: State) -> str:
        """Return the position as one line."""
        return position.write(state)

    def equivalence_key(self, state: State) -> str:
        """Return the position's line, the same with the sides exchanged."""
        return position.equivalence_key(state)


def _thrown(state: State, plain: int) -> State:
    settings, men, fresh, seat = state.settings, state.men, state.fresh, state.seat
    other = Seat(1 - seat)
    score = SCORES[plain]
    if state.phase is Phase.START:
        if plain != _STARTING:
            return State(settings, men, fresh, other, Phase.START)
        return State(settings, men, fresh, seat, Phase.MOVE, score)
    if score and walking.usable(settings, seat, men, fresh, score):
        return State(settings, men, fresh, seat, Phase.MOVE, score)
    if score or state.finished(other):  # lost score: the same seat throws again, as it does alone
        return State(settings, men, fresh, seat, Phase.THROW)
    return State(settings, men, fresh, other, Phase.THROW)


def _moved(state: State, move: Walk | Split) -> tuple[walking.Men, walking.Men]:
    """Return where all men stand, and which have not moved, after a move."""
    if isinstance(move, Walk):
        return _walked(state, state.men, state.fresh, move)
    return _walked(state, *_walked(state, state.men, state.fresh, move.first), move.second)


def _walked(
    state: State, men: walking.Men, fresh: walking.Men, walk: Walk
) -> tuple[walking.Men, walking.Men]:
    """Return where all men stand, and which have not moved, after one man has walked."""
    seat, course = state.seat, state.settings.course
    places = course.places[seat]
    origin, target = 1 << places[walk.origin], 1 << places[walk.target]
    enemy = ~(1 << course.across[seat][places[walk.target]])
    if seat == WHITE:
        return (
            (men[0] ^ origin | target, men[1] & enemy),
            (fresh[0] & ~origin, fresh[1] & enemy),
        )
    return (
        (men[0] & enemy, men[1] ^ origin | target),
        (fresh[0] & enemy, fresh[1] & ~origin),
    )


def _settled(state: State, men: walking.Men, fresh: walking.Men) -> State:
    """Return what follows a move: the end, or the next throw."""
    settings, seat = state.settings, state.seat
    other = Seat(1 - seat)
    if verdict.ended(settings, men, fresh):
        return State(settings, men, fresh, seat, Phase.OVER, together=_together(state, men))
    done = not men[seat] & OUTSIDE
    return State(settings, men, fresh, other if done else seat, Phase.THROW)


def _together(state: State, men: walking.Men) -> bool:
    """Return whether a move finished both seats where that decides a tie."""
    settings, (white, black) = state.settings, men
    return (
        settings.both_done
        and settings.first_finisher
        and not (white | black) & OUTSIDE
        and not state.finished(Seat(1 - state.seat))
        and (white & GOAL).bit_count() == (black & GOAL).bit_count()
    )
