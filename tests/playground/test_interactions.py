"""Responses to interactions: in time, once, while the token is valid."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from discord import ui

from playground.app import Playground
from playground.clock import ManualClock
from playground.errors import Impossible, InteractionFailed
from tests.playground.sample_bot import Ask, SampleBot, board, picture, refusing


async def test_everyone_sees_a_timely_answer(playground: Playground, bot: SampleBot) -> None:
    bot.do = lambda i: i.response.send_message("Hello.")
    reply = await playground.person("Ann").slash("/do")
    assert reply.message is not None
    assert reply.text == "Hello."
    assert playground.person("Ben").sees("general") == [reply.message]
    assert playground.violations == []


async def test_an_answer_after_three_seconds_is_refused_with_10062(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def late(interaction: Ask) -> None:
        asked.set()
        await go.wait()
        await interaction.response.send_message("Too late.")

    bot.do = late
    reply = playground.person("Ann").slash("/do")
    await asked.wait()
    clock.advance(3.1)
    with pytest.raises(InteractionFailed):
        await reply
    assert reply.error is not None
    go.set()
    await bot.done.wait()
    assert bot.codes == [10062]
    assert playground.person("Ann").sees("general") == []


async def test_a_second_answer_is_refused_with_40060(
    playground: Playground, bot: SampleBot
) -> None:
    async def twice(interaction: Ask) -> None:
        await interaction.response.send_message("Once.")
        interaction.response._response_type = None
        await interaction.response.send_message("Twice.")

    bot.do = twice
    await playground.person("Ann").slash("/do")
    await bot.done.wait()
    assert bot.codes == [40060]
    assert [m.text for m in playground.person("Ann").sees("general")] == ["Once."]


async def test_after_fifteen_minutes_the_token_is_useless(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    async def slow(interaction: Ask) -> None:
        await interaction.response.send_message("A board.")
        clock.advance(15 * 60 + 1)
        await interaction.edit_original_response(content="Another board.")

    bot.do = slow
    reply = await playground.person("Ann").slash("/do")
    await bot.done.wait()
    assert bot.codes == [50027]
    assert reply.text == "A board."


async def test_only_its_person_sees_an_ephemeral_answer(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message(view=board(0), ephemeral=True)
    reply = await playground.person("Ann").slash("/do")
    assert reply.ephemeral
    assert reply.message is not None
    assert playground.person("Ann").sees("general") == [reply.message]
    assert playground.person("Ben").sees("general") == []
    with pytest.raises(Impossible, match="cannot see"):
        await playground.person("Ben").press(reply.message, "More")
    with refusing(10008, discord.NotFound):
        await bot.room(playground.channel("general")).fetch_message(reply.message.id)
    again = await playground.person("Ann").press(reply.message, "More")
    assert again.text == "Counted 1."
    playground.person("Ann").dismisses(reply.message)
    assert playground.person("Ann").sees("general") == []


async def test_a_deferred_answer_is_filled_by_an_edit(
    playground: Playground, bot: SampleBot
) -> None:
    go = asyncio.Event()

    async def think(interaction: Ask) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await go.wait()
        await interaction.edit_original_response(
            view=board(3, picture_name="board.png"), attachments=[picture()]
        )

    bot.do = think
    reply = await playground.person("Ann").slash("/do")
    assert reply.deferred
    assert reply.message is not None
    assert reply.message.loading
    go.set()
    message = await reply.filled()
    assert message.ephemeral
    assert message.v2
    assert message.text == "Counted 3."
    assert message.alt == "A counter."


async def test_the_first_follow_up_fills_a_deferred_answer(
    playground: Playground, bot: SampleBot
) -> None:
    async def think(interaction: Ask) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.followup.send("First.")
        await interaction.followup.send("Second.", ephemeral=True)

    bot.do = think
    reply = await playground.person("Ann").slash("/do")
    assert (await reply.filled()).text == "First."
    second = await reply.followup()
    assert (second.text, second.ephemeral) == ("Second.", True)


async def test_the_bot_can_read_edit_and_delete_messages_of_its_token(
    playground: Playground, bot: SampleBot
) -> None:
    texts: list[str] = []

    async def all_of_it(interaction: Ask) -> None:
        await interaction.response.send_message("One.")
        texts.append((await interaction.original_response()).content)
        further = await interaction.followup.send("Two.", wait=True)
        await further.edit(content="Three.")
        texts.append((await interaction.followup.fetch_message(further.id)).content)
        await further.delete()
        await interaction.delete_original_response()

    bot.do = all_of_it
    reply = await playground.person("Ann").slash("/do")
    await bot.done.wait()
    assert bot.problems == []
    assert texts == ["One.", "Three."]
    assert reply.message is None
    assert playground.person("Ann").sees("general") == []


async def test_a_press_edits_its_message(playground: Playground, bot: SampleBot) -> None:
    bot.do = lambda i: i.response.send_message(view=board(0))
    message = await (await playground.person("Ann").slash("/do")).filled()
    reply = await playground.person("Ben").press(message, "More")
    assert reply.updated
    assert reply.message is message
    assert message.text == "Counted 1."
    assert message.buttons[0].custom_id == "count:1"
    assert len(playground.person("Ann").sees("general")) == 1


async def test_two_presses_at_once_both_reach_the_bot(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message(view=board(0))
    message = await (await playground.person("Ann").slash("/do")).filled()
    before = message.snapshot()
    first = playground.person("Ann").press(before, "More")
    second = playground.person("Ben").press(before, "More")
    await asyncio.gather(first, second)
    assert message.text == "Counted 1."
    assert message.revision == 2


async def test_an_old_button_can_only_be_pressed_by_a_client_with_an_outdated_view(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message(view=board(0))
    message = await (await playground.person("Ann").slash("/do")).filled()
    old = message.snapshot()
    await playground.person("Ann").press(message, "More")
    with pytest.raises(Impossible, match="something else"):
        await playground.person("Ben").press(old, "More")
    await playground.person("Ben").press(old, "More", stale=True)
    assert message.text == "Counted 1."


async def test_a_press_may_be_acknowledged_without_a_change(
    playground: Playground, bot: SampleBot
) -> None:
    class Silent(ui.View):
        @ui.button(label="Quiet")
        async def quiet(self, interaction: Ask, _: Any) -> None:
            await interaction.response.defer()
            await interaction.followup.send("By the way.")

    bot.do = lambda i: i.response.send_message("Press.", view=Silent())
    message = await (await playground.person("Ann").slash("/do")).filled()
    reply = await playground.person("Ben").press(message, "Quiet")
    assert reply.deferred
    assert reply.message is message
    assert (await reply.followup()).text == "By the way."
    assert message.text == "Press."


async def test_what_answers_a_press_that_was_only_acknowledged_can_be_awaited(
    playground: Playground, bot: SampleBot
) -> None:
    go = asyncio.Event()

    class Slow(ui.View):
        @ui.button(label="Tell")
        async def tell(self, interaction: Ask, _: Any) -> None:
            await interaction.response.defer()
            await go.wait()
            await interaction.followup.send("By the way.")

        @ui.button(label="Change")
        async def change(self, interaction: Ask, _: Any) -> None:
            await interaction.response.defer()
            await go.wait()
            await interaction.edit_original_response(content="Changed.")

    bot.do = lambda i: i.response.send_message("Press.", view=Slow())
    message = await (await playground.person("Ann").slash("/do")).filled()
    replies = [await playground.person("Ben").press(message, one) for one in ("Tell", "Change")]
    assert [reply.text for reply in replies] == ["Press.", "Press."]
    go.set()
    assert [(await reply.filled()).text for reply in replies] == ["By the way.", "Changed."]


async def test_without_a_bot_an_interaction_fails(
    playground: Playground, clock: ManualClock, bot: SampleBot
) -> None:
    await bot.close()
    await playground.gateway.wait_connected(present=False)
    reply = playground.person("Ann").slash("/do")
    clock.advance(3.0)
    with pytest.raises(InteractionFailed):
        await reply


async def test_a_modal_makes_a_round_trip(playground: Playground, bot: SampleBot) -> None:
    got: dict[str, Any] = {}

    class Form(ui.Modal, title="A form"):
        name: ui.Label[Any] = ui.Label(
            text="Name", component=ui.TextInput[Any](custom_id="name", max_length=10)
        )
        side: ui.Label[Any] = ui.Label(
            text="Side",
            component=ui.Select[Any](
                custom_id="side",
                options=[discord.SelectOption(label="White", value="w")],
            ),
        )

        async def on_submit(self, interaction: Ask) -> None:
            assert isinstance(self.name.component, ui.TextInput)
            assert isinstance(self.side.component, ui.Select)
            got["name"] = self.name.component.value
            got["side"] = self.side.component.values
            await interaction.response.send_message(f"Thank you, {got['name']}.")

    bot.do = lambda i: i.response.send_modal(Form())
    ann = playground.person("Ann")
    reply = await ann.slash("/do")
    modal = reply.modal
    assert modal is not None
    assert modal.title == "A form"
    assert [field.label for field in modal.fields] == ["Name", "Side"]
    with pytest.raises(Impossible, match="between 1 and 10"):
        await ann.submit(modal, {"Name": "x" * 11, "Side": "White"})
    with pytest.raises(Impossible, match="no 'Age'"):
        await ann.submit(modal, {"Name": "x", "Side": "White", "Age": "7"})
    with pytest.raises(Impossible, match="does not offer"):
        await ann.submit(modal, {"Name": "x", "Side": "Blue"})
    with pytest.raises(Impossible, match="Ann's screen"):
        await playground.person("Ben").submit(modal, {"Name": "x", "Side": "White"})
    answer = await ann.submit(modal, {"Name": "Ann", "Side": "White"})
    assert answer.text == "Thank you, Ann."
    assert got == {"name": "Ann", "side": ["w"]}
    with pytest.raises(Impossible, match="already"):
        await ann.submit(modal, {"Name": "Ann", "Side": "White"})
    assert playground.violations == []


async def test_a_modal_cannot_answer_a_modal(playground: Playground, bot: SampleBot) -> None:
    class Form(ui.Modal, title="A form"):
        name: ui.TextInput[Any] = ui.TextInput(label="Name", required=False)

        async def on_submit(self, interaction: Ask) -> None:
            try:
                await interaction.response.send_modal(Form())
            except discord.HTTPException as problem:
                bot.problems.append(problem)
                await interaction.response.send_message("One form is enough.")

    bot.do = lambda i: i.response.send_modal(Form())
    ann = playground.person("Ann")
    reply = await ann.submit((await ann.slash("/do")).modal)
    assert reply.text == "One form is enough."
    assert bot.codes == [50035]


async def test_direct_messages_have_a_user_and_no_server(
    playground: Playground, bot: SampleBot
) -> None:
    where: list[Any] = []

    async def look(interaction: Ask) -> None:
        where.extend([interaction.guild, interaction.context.dm_channel, interaction.user.name])
        await interaction.response.send_message(view=board(0))

    bot.do = look
    ann = playground.person("Ann")
    reply = await ann.slash("/do", channel=ann.dm)
    assert where == [None, True, "ann"]
    assert reply.message is not None
    assert (await ann.press(reply.message, "More")).text == "Counted 1."
    with pytest.raises(Impossible):
        playground.person("Ben").sees(ann.dm)


async def test_the_bot_receives_its_permissions_in_the_channel(
    playground: Playground, bot: SampleBot
) -> None:
    calls: list[bool] = []

    async def look(interaction: Ask) -> None:
        calls.append(interaction.app_permissions.attach_files)
        await interaction.response.defer(ephemeral=True)

    bot.do = look
    for place in ("general", "quiet"):
        await playground.person("Ann").slash("/do", channel=place)
    assert calls == [True, False]


async def test_an_answer_may_include_a_picture_even_if_the_bot_cannot_post_one_itself(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message(
        view=board(0, picture_name="board.png"), file=picture()
    )
    reply = await playground.person("Ann").slash("/do", channel="quiet")
    assert reply.message is not None
    assert reply.message.picture is not None
