"""Messages, channels, threads and DMs, and their permissions."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest
from discord import ui

from playground.app import Playground
from playground.clock import ManualClock
from playground.errors import Impossible, NothingHappened
from playground.model import MAX_REPLACED, ChannelType, Overwrite
from playground.permissions import Permission
from tests.playground.sample_bot import SampleBot, board, picture, png, refusing


async def test_a_picture_can_be_fetched_and_keeps_its_description(
    playground: Playground, bot: SampleBot
) -> None:
    sent = await bot.room(playground.channel("general")).send(file=picture())
    assert await sent.attachments[0].read() == png()
    assert (sent.attachments[0].width, sent.attachments[0].height) == (2, 1)
    assert sent.attachments[0].description == "A board."
    message = playground.person("Ann").sees("general")[0]
    assert message.picture == png()
    assert message.alt == "A board."


async def test_a_pictures_url_is_valid_for_a_day(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    sent = await bot.room(playground.channel("general")).send(file=picture())
    clock.advance(86_399)
    await sent.attachments[0].read()
    clock.advance(2)
    with pytest.raises(discord.NotFound):
        await sent.attachments[0].read()


async def test_a_picture_that_an_edit_replaces_can_still_be_loaded_for_a_while(
    playground: Playground, bot: SampleBot
) -> None:
    """As a page that has just drawn the message is loading it: at a round's end, say."""
    sent = await bot.room(playground.channel("general")).send(file=picture("table.png"))
    first = sent.attachments[0]
    for _ in range(MAX_REPLACED):
        await sent.edit(attachments=[picture("table.png")])
        assert await first.read() == png()
    await sent.edit(attachments=[picture("table.png")])
    with pytest.raises(discord.NotFound):
        await first.read()
    last = playground.person("Ann").sees("general")[0].attachments[0]
    assert last.id != first.id


async def test_a_view_shows_its_attached_file(playground: Playground, bot: SampleBot) -> None:
    sent = await bot.room(playground.channel("general")).send(
        view=board(1, picture_name="b.png"), file=picture("b.png")
    )
    container = sent.components[0]
    assert isinstance(container, discord.Container)
    gallery = container.children[1]
    assert isinstance(gallery, discord.MediaGalleryComponent)
    assert gallery.items[0].media.url == sent.attachments[0].url
    assert playground.person("Ann").sees("general")[0].alt == "A counter."
    assert playground.violations == []


async def test_an_edit_keeps_the_files_it_names(playground: Playground, bot: SampleBot) -> None:
    sent = await bot.room(playground.channel("general")).send(
        view=board(1, picture_name="b.png"), file=picture("b.png")
    )
    message = playground.person("Ann").sees("general")[0]
    post = await sent.edit(view=board(2, picture_name="b.png"), attachments=list(sent.attachments))
    assert post.attachments[0].id == sent.attachments[0].id
    assert message.text == "Counted 2."
    other = await sent.edit(
        view=board(3, picture_name="c.png"), attachments=[picture("c.png", "Another board.")]
    )
    assert [a.filename for a in other.attachments] == ["c.png"]
    with refusing(50035):
        await sent.edit(view=board(4, picture_name="b.png"))
    assert message.text == "Counted 3."


async def test_an_edit_changes_only_the_fields_it_names(
    playground: Playground, bot: SampleBot
) -> None:
    view = ui.View()
    view.add_item(ui.Button(label="Press", custom_id="a"))
    sent = await bot.room(playground.channel("general")).send("Words.", view=view, file=picture())
    message = playground.person("Ann").sees("general")[0]
    await sent.edit(content="Other words.")
    assert message.text == "Other words."
    assert [b.label for b in message.buttons] == ["Press"]
    assert message.picture is not None
    assert message.edited_at is not None
    await sent.edit(view=None)
    assert message.buttons == []


async def test_only_allowed_mentions_ping(playground: Playground, bot: SampleBot) -> None:
    ann, ben = playground.person("Ann"), playground.person("Ben")
    room = bot.room(playground.channel("general"))
    text = f"{ann.mention} and {ben.mention} @everyone"
    await room.send(text, allowed_mentions=discord.AllowedMentions.none())
    await room.send(
        text,
        allowed_mentions=discord.AllowedMentions(
            users=[discord.Object(ben.id)], everyone=False, roles=False
        ),
    )
    await room.send(text)
    await room.send(text, silent=True)
    assert [[u.display for u in m.pinged] for m in ann.sees("general")] == [
        [],
        ["Ben"],
        ["Ann", "Ben"],
        [],
    ]


async def test_text_displays_ping_but_edits_and_ephemeral_messages_do_not(
    playground: Playground, bot: SampleBot
) -> None:
    ben = playground.person("Ben")

    def view() -> ui.LayoutView:
        layout = ui.LayoutView()
        layout.add_item(ui.TextDisplay(f"Your move, {ben.mention}."))
        return layout

    sent = await bot.room(playground.channel("general")).send(view=view())
    assert [u.display for u in ben.sees("general")[0].pinged] == ["Ben"]
    plain = await bot.room(playground.channel("games")).send("Nobody.")
    await plain.edit(content=ben.mention)
    edited = ben.sees("games")[0]
    assert edited.pinged == ()
    assert [u.display for u in edited.mentions] == ["Ben"]
    bot.do = lambda i: i.response.send_message(view=view(), ephemeral=True)
    reply = await playground.person("Ann").slash("/do")
    assert reply.message is not None
    assert reply.message.pinged == ()
    assert sent.id


async def test_history_is_read_in_pages(playground: Playground, bot: SampleBot) -> None:
    room = bot.room(playground.channel("general"))
    sent = [await room.send(str(n)) for n in range(5)]
    assert [m.content async for m in room.history(limit=2)] == ["4", "3"]
    assert [m.content async for m in room.history(before=sent[2])] == ["1", "0"]
    assert [m.content async for m in room.history(after=sent[2])] == ["3", "4"]
    assert [m.content async for m in room.history(around=sent[2], limit=3)] == ["3", "2", "1"]


async def test_pins_are_stored(playground: Playground, bot: SampleBot) -> None:
    sent = await bot.room(playground.channel("general")).send("Look.")
    with pytest.raises(discord.Forbidden):
        await sent.pin()
    role = next(r for r in playground.guild.roles.values() if r.managed)
    role.permissions |= Permission.PIN_MESSAGES
    await sent.pin()
    room = bot.room(playground.channel("general"))
    assert [m.content async for m in room.pins()] == ["Look."]
    await sent.unpin()
    assert [m async for m in room.pins()] == []


# Permissions


async def test_without_permission_for_pictures_the_bot_can_still_post_text(
    playground: Playground, bot: SampleBot
) -> None:
    quiet = bot.room(playground.channel("quiet"))
    with refusing(50013, discord.Forbidden):
        await quiet.send(file=picture())
    assert (await quiet.send("Words.")).content == "Words."


async def test_a_channel_the_bot_cannot_see_is_inaccessible(
    playground: Playground, bot: SampleBot
) -> None:
    channel = playground.channel("elsewhere")
    channel.overwrites[playground.guild.id] = Overwrite(0, deny=Permission.VIEW_CHANNEL)
    with refusing(50001, discord.Forbidden):
        await bot.room(channel).send("Hello?")
    with pytest.raises(Impossible, match="cannot see"):
        playground.person("Ann").sees("elsewhere")


async def test_only_the_author_can_edit_a_message(playground: Playground, bot: SampleBot) -> None:
    post = playground.person("Ann").says("My words.")
    message = bot.room(playground.channel("general")).get_partial_message(post.id)
    with refusing(50005, discord.Forbidden):
        await message.edit(content="Not my words.")
    with pytest.raises(discord.Forbidden):
        await message.delete()
    with pytest.raises(Impossible):
        playground.person("Ben").deletes(post)
    playground.person("Ann").deletes(post)
    with refusing(10008, discord.NotFound):
        await message.fetch()


async def test_missing_objects_have_their_error_codes(
    playground: Playground, bot: SampleBot
) -> None:
    guild = bot.get_guild(playground.guild.id)
    assert guild is not None
    asked: list[tuple[Any, int]] = [
        (bot.fetch_channel(1), 10003),
        (bot.fetch_user(1), 10013),
        (bot.fetch_guild(1), 10004),
        (guild.fetch_member(playground.world.application.owner.id + 999), 10013),
        (bot.room(playground.channel("general")).fetch_message(1), 10008),
    ]
    for question, code in asked:
        with refusing(code):
            await question
    stranger = playground.world.add_user("Stranger")
    with refusing(10007, discord.NotFound):
        await guild.fetch_member(stranger.id)
    member = await guild.fetch_member(playground.person("Ann").id)
    assert member.display_name == "Ann"
    async with aiohttp.ClientSession() as session, session.get(member.display_avatar.url) as face:
        assert face.status == 200
        assert (await face.read()).startswith(b"\x89PNG")


# Old messages


async def test_messages_older_than_an_hour_allow_few_edits(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    sent = await bot.room(playground.channel("general")).send("Old.")
    clock.advance(3601)
    address = f"{playground.rest_url}/channels/{sent.channel.id}/messages/{sent.id}"
    # discord.py would wait in real time for as long as it is told, so bypass it.
    async with aiohttp.ClientSession(
        headers={"Authorization": f"Bot {playground.token}"}
    ) as session:
        for n, status in enumerate((200, 200, 200, 429)):
            async with session.patch(address, json={"content": str(n)}) as answer:
                assert answer.status == status
                body = await answer.json()
        assert (body["code"], body["retry_after"]) == (30046, 6.0)
        assert playground.person("Ann").sees("general")[0].text == "2"
        clock.advance(6)
        async with session.patch(address, json={"content": "Later."}) as answer:
            assert answer.status == 200
    assert playground.person("Ann").sees("general")[0].text == "Later."


# Threads


async def test_a_thread_belongs_to_a_message_and_shares_its_id(
    playground: Playground, bot: SampleBot
) -> None:
    sent = await bot.room(playground.channel("games")).send("A game.")
    thread = await sent.create_thread(name="The game", auto_archive_duration=10080)
    assert thread.id == sent.id
    with refusing(160004):
        await sent.create_thread(name="Again")
    await thread.add_user(discord.Object(playground.person("Ann").id))
    await thread.send("First move.")
    here = playground.channel("The game")
    assert here.type is ChannelType.PUBLIC_THREAD
    assert [m.text for m in playground.person("Ann").sees(here)] == ["First move."]
    assert playground.person("Ann").id in here.thread_members
    fetched = await bot.fetch_channel(thread.id)
    assert isinstance(fetched, discord.Thread)
    assert fetched.parent_id == sent.channel.id


async def test_messages_in_an_archived_thread_cannot_be_edited_until_a_new_one_is_posted(
    playground: Playground, bot: SampleBot
) -> None:
    thread = await bot.room(playground.channel("games")).create_thread(
        name="The game", type=discord.ChannelType.public_thread
    )
    sent = await thread.send(view=board(0))
    await thread.edit(archived=True)
    with refusing(50083):
        await sent.edit(view=board(1))
    ann = playground.person("Ann")
    with pytest.raises(Impossible, match="archived"):
        await ann.press(ann.sees("The game")[0], "More")
    await thread.send("Wake up.")
    assert not playground.channel("The game").archived
    await sent.edit(view=board(1))
    playground.world.archive(playground.channel("The game"), archived=True)
    ann.says("I am back.", channel="The game")
    assert (await ann.press(ann.sees("The game")[0], "More")).text == "Counted 2."


async def test_a_locked_thread_stays_closed(playground: Playground, bot: SampleBot) -> None:
    thread = await bot.room(playground.channel("games")).create_thread(
        name="The game", type=discord.ChannelType.public_thread
    )
    playground.world.archive(playground.channel("The game"), archived=True, locked=True)
    with refusing(160005):
        await thread.send("Hello?")
    with pytest.raises(discord.HTTPException):
        await thread.edit(archived=False)
    with pytest.raises(Impossible, match="locked"):
        playground.person("Ann").says("Hello?", channel="The game")


async def test_a_deleted_thread_is_gone(playground: Playground, bot: SampleBot) -> None:
    thread = await bot.room(playground.channel("games")).create_thread(
        name="The game", type=discord.ChannelType.public_thread
    )
    playground.world.remove_channel(playground.channel("The game"))
    with refusing(10003, discord.NotFound):
        await thread.send("Hello?")


# Direct messages


async def test_direct_messages_reach_one_person_only(
    playground: Playground, bot: SampleBot
) -> None:
    ann = playground.person("Ann")
    user = await bot.fetch_user(ann.id)
    await user.send(view=board(0))
    message = ann.sees(ann.dm)[0]
    assert (await ann.press(message, "More")).text == "Counted 1."


async def test_closed_direct_messages_are_refused_with_50007(
    playground: Playground, bot: SampleBot
) -> None:
    ann = playground.person("Ann")
    ann.user.dms_open = False
    user = await bot.fetch_user(ann.id)
    with refusing(50007, discord.Forbidden):
        await user.send("Your move.")
    ann.user.dms_open = True
    await user.send("Your move.")


# Waiting


async def test_waiting_finds_past_messages_and_waits_for_future_ones(
    playground: Playground, bot: SampleBot
) -> None:
    room = bot.room(playground.channel("general"))
    later = asyncio.create_task(playground.wait_for("general", lambda m: m.text == "Two."))
    await room.send("One.")
    assert (await playground.wait_for("general")).text == "One."
    sent = await room.send("Zwei.")
    await sent.edit(content="Two.")
    assert (await later).text == "Two."
    with pytest.raises(NothingHappened, match="#general"):
        await playground.wait_for("general", lambda m: m.text == "Never.", timeout=0.01)
