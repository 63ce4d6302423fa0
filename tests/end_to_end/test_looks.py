"""What only one person sees looks as they like it, or else as their server does."""

from __future__ import annotations

import pytest

from bot.core.i18n.catalogues import ENGLISH
from bot.features.guide.commands import welcome
from bot.play.pictures.rendering import BoardStyle
from engine import registry
from engine.marking import begin
from engine.overlay import overlaid
from tests.end_to_end.harness import Environment


async def games(env: Environment, theme: str) -> bytes:
    titled = [(g.title, g.scene(g.initial())) for g in registry.games().values()]
    return await env.renderer.sheet(titled, BoardStyle(theme))


@pytest.mark.parametrize(
    ("server", "own", "wanted"), [("night", None, "night"), ("night", "contrast", "contrast")]
)
async def test_help_play_and_lessons_follow_the_person_then_the_server(
    env: Environment, server: str, own: str | None, wanted: str
) -> None:
    await env.change_settings(theme=server)
    await env.change_player(env.ann, theme=own)
    assert (await env.ann.slash("/help")).shown.picture == await games(env, wanted)
    offered = (await env.ann.slash("/play")).shown
    openings = [
        await env.renderer.picture(game.scene(game.initial()), BoardStyle(wanted))
        for game in registry.games().values()
    ]
    assert offered.picture in openings
    lesson = (await env.ann.slash("/tablut learn")).shown
    game = registry.game("tablut")
    taught = game.lessons[0]
    scene = overlaid(game.scene(begin(game, taught)), taught.marks)
    assert lesson.picture == await env.renderer.picture(scene, BoardStyle(wanted))


async def test_the_welcome_names_all_games_on_one_picture(env: Environment) -> None:
    layout = await welcome(env.renderer, "night", ENGLISH, server=True)
    (file,) = layout.files
    assert file.data == await games(env, "night")
    words = str(layout.parts)
    for game in registry.games().values():
        assert str(game.title) in words
