"""The pages of ``/help``, and the welcome to new servers. Independent of any Discord library."""

from __future__ import annotations

from typing import Final

from bot.core.i18n.mentions import slash
from bot.features.ladder.rules import PASS_EVERY
from bot.play.ratings.calculator import FULL, MAX_PER_WEEK, WEEK
from engine import registry
from engine.phrase import Phrase, concat, lines, say, word

START: Final = "start"
_GREETING: Final = say("### Old board games, played turn by turn")


def page(topic: str) -> str:
    """Return a page; the first one for an unknown name, perhaps from another version."""
    title, *paragraphs = _PAGES.get(topic, _PAGES[START])
    begins = title == _PAGES[START][0]
    return lines((_GREETING if begins else concat("### ", title), *paragraphs))


def topics() -> dict[str, str]:
    """Return the title of each page by name, in menu order."""
    return {name: page[0] for name, page in _PAGES.items()}


_PAGES: Final[dict[str, tuple[str, ...]]] = {
    START: (
        say("Getting started"),
        say("When it's your turn, a board pings you. Pick a move from its menu. That's all."),
        say(
            "-# {play} starts a game · {games} lists yours · `{rules}` is in every game",
            play=slash("play"),
            games=slash("games"),
            rules=word("command", "rules"),
        ),
    ),
    "play": (
        say("Playing"),
        say(
            "On your turn, the board pings you. Pick your move (wins and captures come first), or "
            "type it with `{move}`: a4a7, A4 A7 and a4 to a7 all work. I throw for you, and play "
            "your move if there's only one. If a move isn't legal, I'll tell you which rule it "
            "breaks.",
            move=word("command", "move"),
        ),
        say(
            "You can play several matches at once, over hours or days. `{games}` lists them with "
            "links, your turn first. `{board}` shows a board again, and `{text_board}` shows it "
            "as text for a screen reader.",
            games=slash("games"),
            board=word("command", "board"),
            text_board=slash("match", "board"),
        ),
        say(
            "`{resign}` gives up a match, but asks you first. After a match, **Rematch** starts "
            "another with sides swapped.",
            resign=word("command", "resign"),
        ),
        say(
            "`{block}` stops someone from challenging you.",
            block=slash("block"),
        ),
    ),
    "practice": (
        say("Practice"),
        say(
            "A game's `{practice}` command starts a match against the computer, on one of five "
            "levels. In games for more than two, computers take all the other seats. Nothing is "
            "rated, there's no clock, and you can take moves back freely.",
            practice=word("command", "practice"),
        ),
        say(
            "On your turn there, `{hint}` shows what the strongest computer would play, and why. "
            "The result says how many hints you took.",
            hint=slash("match", "hint"),
        ),
        say(
            "After a match, `{analysis}` or the **Analysis** button shows how much was luck and "
            "how much was skill, and the biggest mistakes with better moves. It's a computer's "
            "view and can be wrong.",
            analysis=slash("match", "analysis"),
        ),
        say(
            "`{puzzle}` shows a position from a finished match where one move is clearly best. "
            "Only your first answer counts. Nobody learns whose match it was.",
            puzzle=slash("puzzle"),
        ),
    ),
    "time": (
        say("Time"),
        say(
            "You have three days per move, unless the challenge or the server says "
            "otherwise: anything from an hour to fourteen days. I'll remind you before your "
            "time runs out. After that, your opponent can claim the win or abort the match. "
            "Until they do, you can still move."
        ),
        say(
            "With a time bank, you start with a stock of days instead. Your turns use it up, each "
            "move adds a day, and it holds at most twice what you started with. When it's empty, "
            "you're out of time."
        ),
        say(
            "`{vacation}` pauses your clocks, for up to thirty days a year. During quiet hours, "
            "set in `{settings}`, pings wait until they end. Your clocks run on.",
            vacation=slash("me", "vacation"),
            settings=slash("me", "settings"),
        ),
        say(
            "If time runs out before everyone has had two turns, the match is void and nobody "
            "loses."
        ),
    ),
    "agree": (
        say("Agreements"),
        say(
            "`{takeback}` asks your opponent to let you take back your last move, as long as no "
            "throw has followed it. `{draw}` offers a draw in games that have one. Both lapse "
            "with the next move.",
            takeback=word("command", "takeback"),
            draw=word("command", "draw"),
        ),
        say(
            "To confirm each move before it's played, turn that on in `{settings}`.",
            settings=slash("me", "settings"),
        ),
    ),
    "look": (
        say("Looking back"),
        say(
            "`{replay}` steps through a match, and `{gif}` turns it into a film. `{export}` saves "
            "it as a record that people and programs can read. `{bring}` loads a record so that "
            "you can step through it.",
            replay=slash("match", "replay"),
            gif=slash("match", "gif"),
            export=slash("match", "export"),
            bring=slash("match", "import"),
        ),
    ),
    "luck": (
        say("Fair throws"),
        say(
            "Every throw comes from a secret seed. Its fingerprint is in the challenge before "
            "anyone accepts, so the seed can't be swapped later. **More › Add a word…** mixes a "
            "word of yours into every throw. Add it after you've seen the fingerprint, and nobody "
            "could pick a seed to suit your match, except by choosing a word after yours. After "
            "the match the seed is shown, and `{verify}` works out every throw again. What it "
            "can't rule out: the bot's owner knows the seed and could look ahead.",
            verify=slash("match", "verify"),
        ),
    ),
    "ratings": (
        say("Ratings"),
        say(
            "You have a rating for each game, on each server and across all of them: a number and "
            "its margin, such as **1612 ± 74**. After only a few matches it's provisional and has "
            "a question mark. The last board of a match shows how it changed."
        ),
        say(
            "`{leaderboard}` shows the best players, `{profile}` how you or someone else is "
            "doing, and `{rivals}` your record against one player. Choose in `{settings}` who "
            "can see your profile.",
            leaderboard=slash("leaderboard"),
            profile=slash("profile"),
            rivals=slash("rivals"),
            settings=slash("me", "settings"),
        ),
        say(
            "Unrated matches don't change ratings, and neither do matches that hardly began. For "
            "each game, up to {most} matches between the same two players count in {days} days.",
            most=MAX_PER_WEEK,
            days=WEEK.days,
        ),
        say(
            "Every opponent counts, in matches of three or four too. Opponents who have met fewer "
            "than {many} people in a game count less, since their strength isn't known yet.",
            many=FULL,
        ),
    ),
    "ladder": (
        say("Ladders"),
        say(
            "A ladder ranks players and is always open. `{join}` puts you at the bottom. "
            "`{challenge}` challenges someone a few places above you. Win, and you take their "
            "place.",
            join=slash("ladder", "join"),
            challenge=slash("ladder", "challenge"),
        ),
        say(
            "Answer in time, or you lose your place. You can decline for free once every "
            "{days} days. Without games, you slide down one place a week, except on vacation.",
            days=PASS_EVERY.days,
        ),
        say(
            "Server managers open one with `{open}`. `{history}` shows what has happened.",
            open=slash("ladder", "open"),
            history=slash("ladder", "history"),
        ),
    ),
    "me": (
        say("Your settings"),
        say(
            "In `{settings}`, choose how your boards look (one look suits colour-blind eyes), "
            "coordinates, which side is at the bottom, pings and reminders, quiet hours and your "
            "language.",
            settings=slash("me", "settings"),
        ),
        say(
            "`{export}` gives you everything stored about you. `{delete}` deletes it, and your "
            "opponents keep their results.",
            export=slash("privacy", "export"),
            delete=slash("privacy", "delete"),
        ),
    ),
    "server": (
        say("For servers"),
        say(
            "Server managers use `{settings}` to choose the channels, threads or not, a new board "
            "each turn or one that changes, time per move, what happens when time runs out, the "
            "look and the language.",
            settings=slash("server", "settings"),
        ),
        say(
            "Moderators can end or void a match and close a challenge. `{audit}` lists who did "
            "what.",
            audit=slash("server", "audit"),
        ),
    ),
}
"""For each page, its title and paragraphs."""


def welcome() -> Phrase:
    """Return the title of the welcome, and each game with what it is like."""
    games = [concat("**", game.title, "** · ", game.summary) for game in registry.games().values()]
    return lines((_GREETING, *games))


HOW_TO_START: Final = lines(
    [
        say(
            "Play a friend or the computer, right here, hours or days apart. "
            "Never played? Two minutes of lessons are enough."
        ),
        say(
            "-# {play} starts a game any time. {help} has the rest.",
            play=slash("play"),
            help=slash("help"),
        ),
    ]
)
"""What stands below the games in the welcome."""
