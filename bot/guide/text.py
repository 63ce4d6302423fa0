"""The pages of ``/help``. Independent of any Discord library."""

from __future__ import annotations

from typing import Final

from bot.i18n.slash import slash
from bot.ladder.rules import PASS_EVERY
from bot.ratings.calculator import MAX_PER_WEEK, WEEK
from bot.ratings.standing import FULL
from engine.phrase import glued, lines, say, word

START: Final = "start"


def page(topic: str) -> str:
    """Return a page; the first one for an unknown name, perhaps from another version."""
    return lines(_PAGES[topic][1:]) if topic in _PAGES else _start()


def topics() -> dict[str, str]:
    """Return the title of each page by name, in menu order."""
    return {START: say("Getting started"), **{name: page[0] for name, page in _PAGES.items()}}


def _start() -> str:
    return lines(
        [
            say("### Old board games, played turn by turn"),
            say("When it's your turn, a board calls you. Pick a move from its menu. That's all."),
            say(
                "-# {play} starts a game · {games} lists yours · {rules} is in every game",
                play=slash("play"),
                games=slash("games"),
                rules=glued("`", word("command", "rules"), "`"),
            ),
        ]
    )


_PAGES: Final[dict[str, tuple[str, ...]]] = {
    "play": (
        say("Playing"),
        say("### Playing"),
        say(
            "On your turn the board calls you. Press your move, wins and captures first, or type it "
            "with `{move}`: a4a7, A4 A7 and a4 to a7 are all fine. Throws are made for you, and so "
            "is a move when there is only one. An illegal move is refused with the rule it breaks.",
            move=word("command", "move"),
        ),
        say(
            "You may play several matches at once, over hours or days. `{games}` lists those "
            "that wait for you first, with links; `{board}` shows you a board again, also as "
            "text for a screen reader with `{text_board}`.",
            games=slash("games"),
            board=word("command", "board"),
            text_board=slash("match", "board"),
        ),
        say(
            "`{resign}` gives a match up, after a question. After a match the button "
            "**Rematch** begins another with sides swapped.",
            resign=word("command", "resign"),
        ),
        say(
            "`{block}` keeps a person from challenging you.",
            block=slash("block"),
        ),
    ),
    "practice": (
        say("Practice"),
        say("### Practice"),
        say(
            "The `{practice}` command of a game begins a match against a computer at once, on "
            "one of five levels. In games for more than two, computers take all other seats. "
            "No rating changes, no clock runs, and a move is taken back without asking.",
            practice=word("command", "practice"),
        ),
        say(
            "On your turn there, `{hint}` tells what the strongest computer would play, and "
            "why. The end tells how many hints you took.",
            hint=slash("match", "hint"),
        ),
        say(
            "After any match, `{analysis}` or the button **Analysis** tells what luck did and "
            "what skill did, and shows the biggest mistakes with the better moves. A computer "
            "judges, which may be wrong.",
            analysis=slash("match", "analysis"),
        ),
        say(
            "`{puzzle}` shows a position from a match that has ended, in which one move is "
            "clearly best. Only your first answer counts. Nobody is told whose match it was.",
            puzzle=slash("puzzle"),
        ),
    ),
    "time": (
        say("Time"),
        say("### Time"),
        say(
            "Each move has its days: three, unless the challenge or the server says otherwise. "
            "You are reminded before they are over. Afterwards your opponent may claim the win "
            "or abort the match; until then you may still move."
        ),
        say(
            "With a time bank you start with some days in stock instead. Your turns use them up, "
            "each move adds one, and a stock holds twice what it started with at most. When it "
            "is empty, you're out of time."
        ),
        say(
            "`{vacation}` stops your clocks for some days, up to thirty in a year. Quiet "
            "hours, which you choose with `{settings}`, hold back what would call you.",
            vacation=slash("me", "vacation"),
            settings=slash("me", "settings"),
        ),
        say(
            "A match in which somebody never had two turns is void when time runs out: nobody "
            "loses it."
        ),
    ),
    "agree": (
        say("Agreements"),
        say("### Agreements"),
        say(
            "`{takeback}` asks your opponent to give your last decision back, as long as no "
            "throw has followed it. `{draw}` offers a draw in games that know one. Both lapse "
            "with the next move.",
            takeback=word("command", "takeback"),
            draw=word("command", "draw"),
        ),
        say(
            "If you like to be asked before each move is made, `{settings}` can do so.",
            settings=slash("me", "settings"),
        ),
    ),
    "look": (
        say("Looking back"),
        say("### Looking back"),
        say(
            "`{replay}` steps through a match, and `{gif}` makes a film of it. `{export}` "
            "gives you its record, which people and programs can read; `{bring}` takes such a "
            "record and shows it.",
            replay=slash("match", "replay"),
            gif=slash("match", "gif"),
            export=slash("match", "export"),
            bring=slash("match", "import"),
        ),
    ),
    "luck": (
        say("Fair throws"),
        say("### Fair throws"),
        say(
            "Every throw comes from a secret seed. Its fingerprint is in the challenge before "
            "anybody accepts, so the seed can't be swapped later. **More › Add a word…** mixes a word of "
            "yours into every throw. Add it after you've seen the fingerprint, and nobody could "
            "pick a seed to suit your match, except by choosing a word after yours. After the "
            "match the seed is shown, and `{verify}` computes every throw again. What it can't "
            "show: whoever runs the bot knows the seed and could look ahead.",
            verify=slash("match", "verify"),
        ),
    ),
    "ratings": (
        say("Ratings"),
        say("### Ratings"),
        say(
            "Every game has a rating of its own, in each server and over all of them: a number "
            "and how sure it is, such as **1612 ± 74**. With few matches it is provisional and "
            "has a question mark. The last board of a match tells what it changed."
        ),
        say(
            "`{leaderboard}` shows who plays best, `{profile}` how you or somebody else plays, "
            "and `{rivals}` how you stand against one person. What your profile shows to "
            "others is your choice in `{settings}`.",
            leaderboard=slash("leaderboard"),
            profile=slash("profile"),
            rivals=slash("rivals"),
            settings=slash("me", "settings"),
        ),
        say(
            "Casual matches, matches that hardly began, and more than {most} of one game "
            "between the same two players in {days} days move no rating.",
            most=MAX_PER_WEEK,
            days=WEEK.days,
        ),
        say(
            "Every opponent counts, in a match of three or four as well. Opponents who have met "
            "fewer than {many} people in a game count less: until then nobody knows how strong "
            "they are.",
            many=FULL,
        ),
    ),
    "ladder": (
        say("Ladders"),
        say("### Ladders"),
        say(
            "A ladder is an order of players that is always open. `{join}` puts you at the foot. "
            "`{challenge}` challenges somebody a few places above you: win, and you take their "
            "place.",
            join=slash("ladder", "join"),
            challenge=slash("ladder", "challenge"),
        ),
        say(
            "Whoever doesn't answer in time loses the place. Declining is free once in {days} "
            "days. Without games you slide down, one place a week, but not while you're on vacation.",
            days=PASS_EVERY.days,
        ),
        say(
            "`{open}` opens one, for those who manage the server. `{history}` tells what has "
            "happened.",
            open=slash("ladder", "open"),
            history=slash("ladder", "history"),
        ),
    ),
    "me": (
        say("Your settings"),
        say("### Your settings"),
        say(
            "`{settings}` has the look of boards (one of them for colour-blind eyes), "
            "coordinates, the side that is below, calls and reminders, quiet hours and your "
            "language.",
            settings=slash("me", "settings"),
        ),
        say(
            "`{export}` gives you everything that is stored about you, and `{delete}` deletes "
            "it; your opponents keep their results.",
            export=slash("privacy", "export"),
            delete=slash("privacy", "delete"),
        ),
    ),
    "server": (
        say("For servers"),
        say("### For servers"),
        say(
            "With `{settings}`, those who may manage the server choose the channels, threads "
            "or not, a new board each turn or one that changes, the days for each move, what "
            "happens when time is over, the look and the language.",
            settings=slash("server", "settings"),
        ),
        say(
            "Moderators can end or void a match and clear a challenge; `{audit}` lists who "
            "did what.",
            audit=slash("server", "audit"),
        ),
    ),
}
"""For each page, its title and paragraphs."""
