"""Private notes: written in a form, and shown to nobody else."""

from __future__ import annotations

from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import confirm, labels, more


async def write(person: Person, message: Message, text: str) -> Message:
    reply = await person.press(message, "Note")
    assert reply.modal is not None
    sent = (await person.submit(reply.modal, {"note": text})).shown
    assert sent.ephemeral
    return sent


def seen_by_all(env: Environment) -> str:
    return "\n".join(one.text for one in env.boards())


async def test_a_note_is_only_shown_to_its_writer(env: Environment) -> None:
    board = await env.begin("tablut")
    menu = await more(env, env.ann, board)
    message = await write(env.ann, menu, "Watch **c4**, @everyone")
    assert r"> Watch \*\*c4\*\*, \@everyone" in message.text
    assert "seen only by you" in message.text
    assert not message.pinged
    assert r"Watch \*\*c4" in (await more(env, env.ann, board)).text
    assert r"Watch \*\*c4" in (await env.ann.slash("/tablut board")).text
    assert r"-# Note: Watch \*\*c4" in (await env.ann.slash("/games")).text
    assert "Note" not in labels(await more(env, env.carol, board))
    refused = await env.carol.slash("/match note", number=1)
    assert refused.modal is None
    assert "belongs to" in refused.text
    for person in (env.ben, env.carol):
        assert "Watch" not in (await more(env, person, board)).text
        assert "Watch" not in (await person.slash("/games")).text
    assert "Watch" not in (await env.ben.slash("/tablut board")).text
    assert "Watch" not in seen_by_all(env)


async def test_a_form_shows_the_note_and_removes_it_when_empty(env: Environment) -> None:
    board = await env.begin("tablut")
    await write(env.ann, await more(env, env.ann, board), "first")
    reply = await env.ann.slash("/match note")
    assert reply.modal is not None
    assert [field.component.get("value") for field in reply.modal.fields] == ["first"]
    assert "You have no note on match #1" in (await env.ann.submit(reply.modal, {"note": ""})).text
    assert "first" not in (await env.ann.slash("/tablut board")).text


async def test_two_open_forms_overwrite_nothing_unseen(env: Environment) -> None:
    board = await env.begin("tablut")
    menu = await more(env, env.ann, board)
    forms = [(await env.ann.press(menu, "Note")).modal for _ in range(2)]
    assert forms[0] is not None
    assert forms[1] is not None
    await env.ann.submit(forms[0], {"note": "one"})
    refused = await env.ann.submit(forms[1], {"note": "two"})
    assert "changed while you were writing" in refused.text
    assert "> one" in refused.text
    assert "> two" in refused.text


async def test_a_note_submitted_after_the_end_is_in_the_replay(env: Environment) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    reply = await env.ann.slash("/match note")
    assert reply.modal is not None
    await confirm(env, env.ben, await env.ben.slash("/tablut resign"), "Resign")
    await env.ann.submit(reply.modal, {"note": "well played"})
    mine = (await env.ann.slash("/match replay", number="1")).shown
    assert "well played" in mine.text
    assert "Note" in labels(mine)
    for person in (env.ben, env.carol):
        assert "well played" not in (await person.slash("/match replay", number="1")).text
    assert "well played" not in seen_by_all(env)
