"""The first tables. They follow the tables of `data` until the first release, and are frozen then."""

from __future__ import annotations

import re
from typing import Final

from alembic import op

revision = "0001"
down_revision = None
WORKS_WITH = "0001"

TABLES: Final = """
CREATE TABLE audit (
    id BIGSERIAL NOT NULL, guild_id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL,
    user_id BIGINT NOT NULL, action TEXT NOT NULL, match_id BIGINT, challenge_id BIGINT,
    detail JSON NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id)
);
CREATE INDEX ix_audit_guild_id ON audit (guild_id, id);
CREATE TABLE blocks (
    user_id BIGINT NOT NULL, blocked_id BIGINT NOT NULL, since TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_blocks PRIMARY KEY (user_id, blocked_id)
);
CREATE TABLE courses (
    user_id BIGINT NOT NULL, game TEXT NOT NULL, page INTEGER NOT NULL,
    CONSTRAINT pk_courses PRIMARY KEY (user_id, game)
);
CREATE TABLE excluded_players (
    guild_id BIGINT NOT NULL, user_id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL,
    decided_by BIGINT NOT NULL,
    CONSTRAINT pk_excluded_players PRIMARY KEY (guild_id, user_id)
);
CREATE TABLE followed_players (
    user_id BIGINT NOT NULL, guild_id BIGINT NOT NULL, player_id BIGINT NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_followed_players PRIMARY KEY (user_id, guild_id, player_id)
);
CREATE INDEX ix_followed_players_player_id ON followed_players (player_id, guild_id);
CREATE TABLE hourly_uses (
    user_id BIGINT NOT NULL, action TEXT NOT NULL, since TIMESTAMPTZ NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT pk_hourly_uses PRIMARY KEY (user_id, action)
);
CREATE INDEX ix_hourly_uses_since ON hourly_uses (since);
CREATE TABLE identifies (
    bucket INTEGER NOT NULL, next_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_identifies PRIMARY KEY (bucket)
);
CREATE TABLE imports (
    id BIGSERIAL NOT NULL, user_id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL, record TEXT NOT NULL,
    game TEXT NOT NULL, "over" BOOLEAN NOT NULL, luck JSON NOT NULL, found JSON,
    CONSTRAINT pk_imports PRIMARY KEY (id)
);
CREATE INDEX ix_imports_user_id ON imports (user_id);
CREATE TABLE key_values (
    key TEXT NOT NULL, value TEXT NOT NULL,
    CONSTRAINT pk_key_values PRIMARY KEY (key)
);
CREATE TABLE ladders (
    guild_id BIGINT NOT NULL, channel_id BIGINT NOT NULL, game TEXT NOT NULL,
    created_by BIGINT NOT NULL, reach INTEGER NOT NULL, answer_days INTEGER NOT NULL,
    idle_days INTEGER NOT NULL, pause_days INTEGER NOT NULL, days INTEGER NOT NULL,
    game_days INTEGER NOT NULL, unrated BOOLEAN NOT NULL,
    id BIGSERIAL NOT NULL, created_at TIMESTAMPTZ NOT NULL, closed_at TIMESTAMPTZ,
    lost_at TIMESTAMPTZ, next_check_at TIMESTAMPTZ,
    CONSTRAINT pk_ladders PRIMARY KEY (id)
);
CREATE INDEX ix_ladders_guild_id ON ladders (guild_id);
CREATE INDEX ix_ladders_next_check_at ON ladders (next_check_at);
CREATE UNIQUE INDEX ux_ladders_open ON ladders (guild_id, game) WHERE closed_at IS NULL;
CREATE TABLE matches (
    id BIGSERIAL NOT NULL, game TEXT NOT NULL, rules_version INTEGER NOT NULL,
    options JSON NOT NULL, guild_id BIGINT, channel_id BIGINT NOT NULL, seed BYTEA NOT NULL,
    commitment TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL, finished_at TIMESTAMPTZ,
    reason TEXT, plies INTEGER DEFAULT '0' NOT NULL, days INTEGER, place TEXT, parent_id BIGINT,
    takebacks INTEGER DEFAULT '0' NOT NULL, ending TEXT, ended_by BIGINT,
    unrated BOOLEAN DEFAULT false NOT NULL, hints INTEGER DEFAULT '0' NOT NULL,
    eased BOOLEAN DEFAULT false NOT NULL, given_up INTEGER DEFAULT '0' NOT NULL,
    restored INTEGER DEFAULT '0' NOT NULL, challenge_id BIGINT DEFAULT '0' NOT NULL,
    drawn_for TEXT, to_move INTEGER, bank INTEGER, game_days INTEGER,
    CONSTRAINT pk_matches PRIMARY KEY (id), CONSTRAINT ck_matches_plies CHECK (plies >= 0)
);
CREATE INDEX ix_matches_channel_id ON matches (channel_id);
CREATE INDEX ix_matches_guild_id_finished_at ON matches (guild_id, finished_at);
CREATE INDEX ix_matches_finished_at ON matches (finished_at);
CREATE TABLE outdated_ratings (
    game TEXT NOT NULL, since_id BIGINT NOT NULL, version INTEGER NOT NULL,
    CONSTRAINT pk_outdated_ratings PRIMARY KEY (game)
);
CREATE TABLE people (
    user_id BIGINT NOT NULL, settings JSON NOT NULL, changed_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_people PRIMARY KEY (user_id)
);
CREATE TABLE posts (
    id BIGSERIAL NOT NULL, kind TEXT NOT NULL, subject BIGINT NOT NULL, part INTEGER NOT NULL,
    user_id BIGINT NOT NULL, guild_id BIGINT, payload JSON NOT NULL, channel_id BIGINT,
    message_id BIGINT, copies INTEGER NOT NULL, wanted INTEGER NOT NULL, done INTEGER NOT NULL,
    created_at TIMESTAMPTZ NOT NULL, try_at TIMESTAMPTZ, failures INTEGER NOT NULL,
    CONSTRAINT pk_posts PRIMARY KEY (id),
    CONSTRAINT uq_posts_kind_subject_part_user_id UNIQUE (kind, subject, part, user_id)
);
CREATE INDEX ix_posts_try_at ON posts (try_at) WHERE try_at IS NOT NULL;
CREATE INDEX ix_posts_user_id ON posts (user_id);
CREATE TABLE processes (
    id TEXT NOT NULL, role TEXT NOT NULL, version TEXT NOT NULL, started_at TIMESTAMPTZ NOT NULL,
    heartbeat_at TIMESTAMPTZ NOT NULL, draining BOOLEAN NOT NULL, replaces BOOLEAN NOT NULL,
    CONSTRAINT pk_processes PRIMARY KEY (id)
);
CREATE TABLE puzzle_schedules (
    guild_id BIGINT NOT NULL, channel_id BIGINT NOT NULL, hour INTEGER NOT NULL,
    next_at TIMESTAMPTZ NOT NULL, notified BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_puzzle_schedules PRIMARY KEY (guild_id)
);
CREATE INDEX ix_puzzle_schedules_next_at ON puzzle_schedules (next_at);
CREATE TABLE puzzles (
    id BIGSERIAL NOT NULL, game TEXT NOT NULL, options JSON NOT NULL, position TEXT NOT NULL,
    solution TEXT NOT NULL, evaluation JSON NOT NULL, fingerprint BIGINT NOT NULL,
    tried INTEGER DEFAULT '0' NOT NULL, solved INTEGER DEFAULT '0' NOT NULL, level INTEGER,
    digest TEXT NOT NULL, made_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_puzzles PRIMARY KEY (id), CONSTRAINT uq_puzzles_digest UNIQUE (digest)
);
CREATE INDEX ix_puzzles_fingerprint ON puzzles (fingerprint);
CREATE INDEX ix_puzzles_game ON puzzles (game, id);
CREATE TABLE rating_histogram (
    scope BIGINT NOT NULL, game TEXT NOT NULL, day INTEGER NOT NULL, bucket INTEGER NOT NULL,
    players INTEGER NOT NULL,
    CONSTRAINT pk_rating_histogram PRIMARY KEY (scope, game, day, bucket)
);
CREATE TABLE ratings (
    user_id BIGINT NOT NULL, scope BIGINT NOT NULL, game TEXT NOT NULL,
    mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL, games INTEGER NOT NULL,
    won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL, streak INTEGER NOT NULL,
    best INTEGER NOT NULL, form TEXT NOT NULL, last_at TIMESTAMPTZ NOT NULL,
    opponents INTEGER DEFAULT '0' NOT NULL, established BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (user_id, scope, game)
);
CREATE INDEX ix_ratings_games ON ratings (scope, game, established, games, mu, user_id);
CREATE INDEX ix_ratings_last_at ON ratings (scope, game, established, last_at, user_id);
CREATE INDEX ix_ratings_mu ON ratings (scope, game, established, mu, games, user_id, last_at);
CREATE TABLE rivals (
    user_id BIGINT NOT NULL, scope BIGINT NOT NULL, rival_id BIGINT NOT NULL, game TEXT NOT NULL,
    games INTEGER NOT NULL, rated INTEGER NOT NULL, won INTEGER NOT NULL, drawn INTEGER NOT NULL,
    CONSTRAINT pk_rivals PRIMARY KEY (user_id, scope, rival_id, game)
);
CREATE INDEX ix_rivals_games ON rivals (user_id, scope, games);
CREATE TABLE scores (
    user_id BIGINT NOT NULL, scope BIGINT NOT NULL, game TEXT NOT NULL, seat INTEGER NOT NULL,
    won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL, moves INTEGER NOT NULL,
    seconds BIGINT NOT NULL,
    CONSTRAINT pk_scores PRIMARY KEY (user_id, scope, game, seat)
);
CREATE TABLE season_ratings (
    user_id BIGINT NOT NULL, scope BIGINT NOT NULL, game TEXT NOT NULL, season INTEGER NOT NULL,
    mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL, points INTEGER NOT NULL,
    games INTEGER NOT NULL, won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL,
    form TEXT NOT NULL, opponents INTEGER NOT NULL, ranked BOOLEAN NOT NULL,
    CONSTRAINT pk_season_ratings PRIMARY KEY (user_id, scope, game, season)
);
CREATE INDEX ix_season_ratings_points ON season_ratings (scope, game, season, ranked, points,
    games, user_id);
CREATE TABLE server_outages (
    guild_id BIGINT NOT NULL, since TIMESTAMPTZ NOT NULL, grace_until TIMESTAMPTZ,
    CONSTRAINT pk_server_outages PRIMARY KEY (guild_id)
);
CREATE TABLE servers (
    guild_id BIGINT NOT NULL, settings JSON NOT NULL, changed_at TIMESTAMPTZ NOT NULL,
    changed_by BIGINT NOT NULL,
    CONSTRAINT pk_servers PRIMARY KEY (guild_id)
);
CREATE TABLE shards (
    number INTEGER NOT NULL, epoch INTEGER DEFAULT '0' NOT NULL, owner TEXT, wanted_by TEXT,
    connected BOOLEAN DEFAULT false NOT NULL, handled JSON,
    CONSTRAINT pk_shards PRIMARY KEY (number)
);
CREATE INDEX ix_shards_owner ON shards (owner);
CREATE TABLE side_ratings (
    scope BIGINT NOT NULL, game TEXT NOT NULL, seat INTEGER NOT NULL,
    mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL,
    games INTEGER DEFAULT '0' NOT NULL, won INTEGER DEFAULT '0' NOT NULL,
    drawn INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_side_ratings PRIMARY KEY (scope, game, seat)
);
CREATE TABLE spent_limits (
    user_id BIGINT NOT NULL, action TEXT NOT NULL, number INTEGER NOT NULL,
    ends_at TIMESTAMPTZ NOT NULL, game TEXT DEFAULT '' NOT NULL,
    opponent_id BIGINT DEFAULT '0' NOT NULL,
    CONSTRAINT pk_spent_limits PRIMARY KEY (user_id, action, game, opponent_id)
);
CREATE INDEX ix_spent_limits_ends_at ON spent_limits (ends_at);
CREATE TABLE tournaments (
    guild_id BIGINT NOT NULL, channel_id BIGINT NOT NULL, name TEXT NOT NULL, game TEXT NOT NULL,
    plan JSON NOT NULL, created_by BIGINT NOT NULL, days INTEGER NOT NULL, bank INTEGER,
    round_days INTEGER, verdict TEXT DEFAULT 'draw' NOT NULL,
    unrated BOOLEAN DEFAULT false NOT NULL, max_players INTEGER DEFAULT '500' NOT NULL,
    min_rating INTEGER, max_rating INTEGER, established BOOLEAN DEFAULT false NOT NULL,
    role_id BIGINT, starts_at TIMESTAMPTZ, monthly_day INTEGER, options JSON NOT NULL,
    id BIGSERIAL NOT NULL, thread_id BIGINT, message_id BIGINT, state TEXT NOT NULL,
    seed BYTEA NOT NULL, created_at TIMESTAMPTZ NOT NULL, ended_at TIMESTAMPTZ,
    round INTEGER DEFAULT '0' NOT NULL, next_at TIMESTAMPTZ, version INTEGER DEFAULT '0' NOT NULL,
    imported BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_tournaments PRIMARY KEY (id),
    CONSTRAINT ck_tournaments_state CHECK (state IN ('sign-up', 'running', 'adjourned',
        'finished', 'cancelled')),
    CONSTRAINT ck_tournaments_verdict CHECK (verdict IN ('draw', 'manager', 'computer'))
);
CREATE INDEX ix_tournaments_guild_id ON tournaments (guild_id, state);
CREATE INDEX ix_tournaments_imported ON tournaments (guild_id) WHERE imported;
CREATE INDEX ix_tournaments_next_at ON tournaments (next_at);
CREATE TABLE vacations (
    id BIGSERIAL NOT NULL, user_id BIGINT NOT NULL, starts_at TIMESTAMPTZ NOT NULL,
    ends_at TIMESTAMPTZ NOT NULL, "over" BOOLEAN NOT NULL,
    CONSTRAINT pk_vacations PRIMARY KEY (id)
);
CREATE INDEX ix_vacations_over_ends_at ON vacations ("over", ends_at);
CREATE INDEX ix_vacations_user_id ON vacations (user_id, ends_at);
CREATE TABLE aborts (
    user_id BIGINT NOT NULL, match_id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_aborts PRIMARY KEY (user_id, match_id),
    CONSTRAINT fk_aborts_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_aborts_at ON aborts (at);
CREATE INDEX ix_aborts_match_id ON aborts (match_id);
CREATE TABLE analyses (
    match_id BIGINT NOT NULL, made_at TIMESTAMPTZ NOT NULL, found JSON NOT NULL,
    CONSTRAINT pk_analyses PRIMARY KEY (match_id),
    CONSTRAINT fk_analyses_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE attempts (
    user_id BIGINT NOT NULL, puzzle_id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL, solved BOOLEAN,
    CONSTRAINT pk_attempts PRIMARY KEY (user_id, puzzle_id),
    CONSTRAINT fk_attempts_puzzle_id FOREIGN KEY (puzzle_id)
        REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_attempts_puzzle_id ON attempts (puzzle_id);
CREATE TABLE boards (
    message_id BIGINT NOT NULL, channel_id BIGINT NOT NULL, match_id BIGINT NOT NULL,
    ply INTEGER NOT NULL, live BOOLEAN NOT NULL,
    CONSTRAINT pk_boards PRIMARY KEY (message_id),
    CONSTRAINT fk_boards_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_boards_match_id ON boards (match_id, ply);
CREATE TABLE challenges (
    game TEXT NOT NULL, options JSON NOT NULL, guild_id BIGINT, channel_id BIGINT NOT NULL,
    challenger_id BIGINT NOT NULL, seat INTEGER, places INTEGER, days INTEGER, bank INTEGER,
    rematch_of BIGINT, unrated BOOLEAN DEFAULT false NOT NULL,
    id BIGSERIAL NOT NULL, message_id BIGINT,
    seed BYTEA NOT NULL, state TEXT NOT NULL, match_id BIGINT, created_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ, expires_at TIMESTAMPTZ,
    CONSTRAINT pk_challenges PRIMARY KEY (id),
    CONSTRAINT ck_challenges_state CHECK (state IN ('open', 'started', 'declined', 'withdrawn',
        'expired')),
    CONSTRAINT fk_challenges_match_id FOREIGN KEY (match_id) REFERENCES matches (id)
);
CREATE INDEX ix_challenges_challenger_id ON challenges (challenger_id);
CREATE INDEX ix_challenges_match_id ON challenges (match_id);
CREATE INDEX ix_challenges_state_channel_id ON challenges (state, channel_id);
CREATE INDEX ix_challenges_state_expires_at ON challenges (state, expires_at);
CREATE INDEX ix_challenges_state_guild_id ON challenges (state, guild_id);
CREATE TABLE clocks (
    match_id BIGINT NOT NULL, user_id BIGINT NOT NULL, ply INTEGER NOT NULL,
    since TIMESTAMPTZ NOT NULL, remind_at TIMESTAMPTZ, due_at TIMESTAMPTZ, "left" INTEGER,
    lapsed_at TIMESTAMPTZ, muted BOOLEAN DEFAULT false NOT NULL, next_at TIMESTAMPTZ,
    CONSTRAINT pk_clocks PRIMARY KEY (match_id),
    CONSTRAINT fk_clocks_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_clocks_next_at ON clocks (next_at);
CREATE INDEX ix_clocks_user_id ON clocks (user_id);
CREATE TABLE computer_tasks (
    id BIGSERIAL NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, match_id BIGINT,
    guild_id BIGINT NOT NULL, user_id BIGINT NOT NULL, since TIMESTAMPTZ,
    attempts INTEGER DEFAULT '0' NOT NULL, lease INTEGER DEFAULT '0' NOT NULL, asked JSON,
    urgent BOOLEAN NOT NULL, turn BIGINT NOT NULL, place BIGINT NOT NULL,
    free_at DOUBLE PRECISION DEFAULT '0' NOT NULL, share DOUBLE PRECISION, answer JSON,
    CONSTRAINT pk_computer_tasks PRIMARY KEY (id),
    CONSTRAINT ck_computer_tasks_kind CHECK (kind IN ('move', 'hint', 'analysis', 'record
        analysis', 'record', 'ratings')),
    CONSTRAINT uq_computer_tasks_kind_name UNIQUE (kind, name),
    CONSTRAINT fk_computer_tasks_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_computer_tasks_guild_id ON computer_tasks (guild_id, urgent, user_id);
CREATE INDEX ix_computer_tasks_match_id ON computer_tasks (match_id);
CREATE INDEX ix_computer_tasks_turn ON computer_tasks (urgent, turn);
CREATE TABLE conditional_moves (
    id BIGSERIAL NOT NULL, match_id BIGINT NOT NULL, seat INTEGER NOT NULL,
    version BIGINT NOT NULL, path TEXT NOT NULL, notation TEXT NOT NULL,
    CONSTRAINT pk_conditional_moves PRIMARY KEY (id),
    CONSTRAINT uq_conditional_moves_match_id_seat_path UNIQUE (match_id, seat, path),
    CONSTRAINT fk_conditional_moves_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE daily_puzzles (
    id BIGSERIAL NOT NULL, guild_id BIGINT NOT NULL, day TEXT NOT NULL, puzzle_id BIGINT NOT NULL,
    channel_id BIGINT NOT NULL, message_id BIGINT, closed_at TIMESTAMPTZ,
    CONSTRAINT pk_daily_puzzles PRIMARY KEY (id),
    CONSTRAINT uq_daily_puzzles_guild_id_day UNIQUE (guild_id, day),
    CONSTRAINT fk_daily_puzzles_puzzle_id FOREIGN KEY (puzzle_id)
        REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_daily_puzzles_puzzle_id ON daily_puzzles (puzzle_id, closed_at);
CREATE TABLE followed_matches (
    user_id BIGINT NOT NULL, match_id BIGINT NOT NULL, since TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_followed_matches PRIMARY KEY (user_id, match_id),
    CONSTRAINT fk_followed_matches_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_followed_matches_match_id ON followed_matches (match_id);
CREATE TABLE hints (
    match_id BIGINT NOT NULL, version INTEGER NOT NULL, evaluation JSON NOT NULL,
    CONSTRAINT pk_hints PRIMARY KEY (match_id, version),
    CONSTRAINT fk_hints_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE ladder_challenges (
    id BIGSERIAL NOT NULL, ladder_id BIGINT NOT NULL, challenger_id BIGINT NOT NULL,
    challenged_id BIGINT NOT NULL, seed BYTEA NOT NULL, place INTEGER NOT NULL,
    created_at TIMESTAMPTZ NOT NULL, called_at TIMESTAMPTZ, answer_by TIMESTAMPTZ NOT NULL,
    due_at TIMESTAMPTZ, challenger_word TEXT DEFAULT '' NOT NULL,
    challenged_word TEXT DEFAULT '' NOT NULL, reminded BOOLEAN DEFAULT false NOT NULL,
    match_id BIGINT, outcome TEXT, gained_place INTEGER, counted BOOLEAN DEFAULT false NOT NULL,
    ended_at TIMESTAMPTZ,
    CONSTRAINT pk_ladder_challenges PRIMARY KEY (id),
    CONSTRAINT ck_ladder_challenges_outcome CHECK (outcome IN ('won', 'lost', 'drawn', 'void',
        'unanswered', 'declined', 'passed', 'withdrawn', 'left', 'quit', 'closed', 'lapsed')),
    CONSTRAINT fk_ladder_challenges_ladder_id FOREIGN KEY (ladder_id)
        REFERENCES ladders (id) ON DELETE CASCADE,
    CONSTRAINT fk_ladder_challenges_match_id FOREIGN KEY (match_id) REFERENCES matches (id)
);
CREATE INDEX ix_ladder_challenges_challenged_id ON ladder_challenges (challenged_id);
CREATE INDEX ix_ladder_challenges_challenger_id ON ladder_challenges (challenger_id);
CREATE INDEX ix_ladder_challenges_due_at ON ladder_challenges (due_at);
CREATE INDEX ix_ladder_challenges_ladder_id ON ladder_challenges (ladder_id, ended_at);
CREATE INDEX ix_ladder_challenges_match_id ON ladder_challenges (match_id);
CREATE UNIQUE INDEX ux_ladder_challenges_in ON ladder_challenges (ladder_id, challenged_id) WHERE
    ended_at IS NULL AND called_at IS NOT NULL;
CREATE UNIQUE INDEX ux_ladder_challenges_out ON ladder_challenges (ladder_id, challenger_id) WHERE
    ended_at IS NULL;
CREATE TABLE ladder_events (
    id BIGSERIAL NOT NULL, ladder_id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL, kind TEXT NOT NULL,
    user_id BIGINT NOT NULL, other_id BIGINT, from_place INTEGER, to_place INTEGER,
    CONSTRAINT pk_ladder_events PRIMARY KEY (id),
    CONSTRAINT ck_ladder_events_kind CHECK (kind IN ('joined', 'won', 'defended', 'drawn',
        'unanswered', 'declined', 'passed', 'surrendered', 'slid', 'left', 'gone', 'idle',
        'removed')),
    CONSTRAINT fk_ladder_events_ladder_id FOREIGN KEY (ladder_id)
        REFERENCES ladders (id) ON DELETE CASCADE
);
CREATE INDEX ix_ladder_events_ladder_id ON ladder_events (ladder_id, id);
CREATE INDEX ix_ladder_events_other_id ON ladder_events (other_id);
CREATE INDEX ix_ladder_events_user_id ON ladder_events (user_id);
CREATE TABLE ladder_places (
    ladder_id BIGINT NOT NULL, user_id BIGINT NOT NULL, place INTEGER NOT NULL,
    best INTEGER NOT NULL, joined_at TIMESTAMPTZ NOT NULL, active_at TIMESTAMPTZ NOT NULL,
    slide_at TIMESTAMPTZ NOT NULL, passed_at TIMESTAMPTZ,
    CONSTRAINT pk_ladder_places PRIMARY KEY (ladder_id, user_id),
    CONSTRAINT fk_ladder_places_ladder_id FOREIGN KEY (ladder_id)
        REFERENCES ladders (id) ON DELETE CASCADE
);
CREATE INDEX ix_ladder_places_user_id ON ladder_places (user_id);
CREATE TABLE moves (
    match_id BIGINT NOT NULL, ply INTEGER NOT NULL, actor INTEGER, notation TEXT NOT NULL,
    made_at TIMESTAMPTZ NOT NULL, fingerprint BIGINT,
    CONSTRAINT pk_moves PRIMARY KEY (match_id, ply), CONSTRAINT ck_moves_ply CHECK (ply >= 1),
    CONSTRAINT fk_moves_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_moves_fingerprint ON moves (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE TABLE notes (
    user_id BIGINT NOT NULL, match_id BIGINT NOT NULL, text TEXT NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (user_id, match_id),
    CONSTRAINT fk_notes_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_notes_match_id ON notes (match_id);
CREATE TABLE offers (
    id BIGSERIAL NOT NULL, match_id BIGINT NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
    ply INTEGER NOT NULL, takebacks INTEGER NOT NULL, given_up INTEGER NOT NULL,
    refused INTEGER NOT NULL, agreed TEXT DEFAULT '' NOT NULL, state TEXT DEFAULT 'open' NOT NULL,
    answered_by INTEGER, channel_id BIGINT, message_id BIGINT,
    CONSTRAINT pk_offers PRIMARY KEY (id),
    CONSTRAINT uq_offers_match_id_kind_seat UNIQUE (match_id, kind, seat),
    CONSTRAINT ck_offers_kind CHECK (kind IN ('draw', 'takeback')),
    CONSTRAINT ck_offers_state CHECK (state IN ('open', 'agreed', 'declined', 'withdrawn',
        'lapsed')),
    CONSTRAINT fk_offers_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE outbox (
    id BIGSERIAL NOT NULL, match_id BIGINT, kind TEXT NOT NULL, payload JSON NOT NULL,
    nonce TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL, attempts INTEGER NOT NULL, blocked TEXT,
    not_before TIMESTAMPTZ, done_at TIMESTAMPTZ,
    CONSTRAINT pk_outbox PRIMARY KEY (id), CONSTRAINT uq_outbox_nonce UNIQUE (nonce),
    CONSTRAINT ck_outbox_nonce CHECK (length(nonce) BETWEEN 1 AND 25),
    CONSTRAINT fk_outbox_match_id FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_outbox_done_at ON outbox (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX ix_outbox_not_before ON outbox (not_before) WHERE done_at IS NULL AND not_before IS
    NOT NULL;
CREATE INDEX ix_outbox_pending ON outbox (match_id, id) WHERE done_at IS NULL;
CREATE TABLE players (
    match_id BIGINT NOT NULL, seat INTEGER NOT NULL, user_id BIGINT NOT NULL,
    word TEXT DEFAULT '' NOT NULL, rank INTEGER, gave_up INTEGER, gave_up_ply INTEGER,
    gave_up_how TEXT, place INTEGER DEFAULT '0' NOT NULL, bank_left INTEGER, guild_id BIGINT,
    result_id BIGINT, moves INTEGER, seconds BIGINT,
    CONSTRAINT pk_players PRIMARY KEY (match_id, seat),
    CONSTRAINT uq_players_match_id_user_id UNIQUE (match_id, user_id),
    CONSTRAINT fk_players_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_players_guild_id ON players (user_id, guild_id, result_id);
CREATE INDEX ix_players_result_id ON players (user_id, result_id);
CREATE INDEX ix_players_user_id ON players (user_id, match_id);
CREATE TABLE results (
    id BIGSERIAL NOT NULL, match_id BIGINT NOT NULL, game TEXT NOT NULL, guild_id BIGINT,
    at TIMESTAMPTZ NOT NULL, rated BOOLEAN NOT NULL,
    CONSTRAINT pk_results PRIMARY KEY (id), CONSTRAINT uq_results_match_id UNIQUE (match_id),
    CONSTRAINT fk_results_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_results_game ON results (game, id);
CREATE TABLE tournament_entrants (
    user_id BIGINT NOT NULL, strength DOUBLE PRECISION DEFAULT '0.0' NOT NULL,
    joined_round INTEGER DEFAULT '1' NOT NULL, left_after INTEGER, replaces_user_id BIGINT,
    tournament_id BIGINT NOT NULL, number INTEGER NOT NULL, joined_at TIMESTAMPTZ NOT NULL,
    leave_reason TEXT, place INTEGER, word TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_tournament_entrants PRIMARY KEY (tournament_id, user_id),
    CONSTRAINT ck_tournament_entrants_leave_reason CHECK (leave_reason IN ('left', 'absent',
        'gone', 'removed')),
    CONSTRAINT uq_tournament_entrants_tournament_id_number UNIQUE (tournament_id, number),
    CONSTRAINT fk_tournament_entrants_tournament_id FOREIGN KEY (tournament_id)
        REFERENCES tournaments (id) ON DELETE CASCADE
);
CREATE INDEX ix_tournament_entrants_user_id ON tournament_entrants (user_id);
CREATE TABLE tournament_imports (
    tournament_id BIGINT NOT NULL, pairings BYTEA NOT NULL,
    CONSTRAINT pk_tournament_imports PRIMARY KEY (tournament_id),
    CONSTRAINT fk_tournament_imports_tournament_id FOREIGN KEY (tournament_id)
        REFERENCES tournaments (id) ON DELETE CASCADE
);
CREATE TABLE tournament_rounds (
    tournament_id BIGINT NOT NULL, round INTEGER NOT NULL, begun_at TIMESTAMPTZ NOT NULL,
    ends_at TIMESTAMPTZ, warn_at TIMESTAMPTZ, ended_at TIMESTAMPTZ,
    forced BOOLEAN DEFAULT false NOT NULL, judged_until TIMESTAMPTZ,
    CONSTRAINT pk_tournament_rounds PRIMARY KEY (tournament_id, round),
    CONSTRAINT fk_tournament_rounds_tournament_id FOREIGN KEY (tournament_id)
        REFERENCES tournaments (id) ON DELETE CASCADE
);
CREATE TABLE turn_calls (
    message_id BIGINT NOT NULL, channel_id BIGINT NOT NULL, match_id BIGINT NOT NULL,
    ply INTEGER NOT NULL,
    CONSTRAINT pk_turn_calls PRIMARY KEY (message_id),
    CONSTRAINT fk_turn_calls_match_id FOREIGN KEY (match_id)
        REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_turn_calls_match_id ON turn_calls (match_id);
CREATE TABLE daily_answers (
    daily_id BIGINT NOT NULL, user_id BIGINT NOT NULL, solved BOOLEAN NOT NULL,
    first_try BOOLEAN NOT NULL, streak INTEGER NOT NULL, at TIMESTAMPTZ NOT NULL,
    CONSTRAINT pk_daily_answers PRIMARY KEY (daily_id, user_id),
    CONSTRAINT fk_daily_answers_daily_id FOREIGN KEY (daily_id)
        REFERENCES daily_puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_daily_answers_user_id ON daily_answers (user_id);
CREATE TABLE invited (
    challenge_id BIGINT NOT NULL, user_id BIGINT NOT NULL, place INTEGER NOT NULL, joined INTEGER,
    word TEXT,
    CONSTRAINT pk_invited PRIMARY KEY (challenge_id, user_id),
    CONSTRAINT uq_invited_challenge_id_place UNIQUE (challenge_id, place),
    CONSTRAINT uq_invited_challenge_id_joined UNIQUE (challenge_id, joined),
    CONSTRAINT fk_invited_challenge_id FOREIGN KEY (challenge_id)
        REFERENCES challenges (id) ON DELETE CASCADE
);
CREATE TABLE milestones (
    user_id BIGINT NOT NULL, kind TEXT NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL,
    result_id BIGINT NOT NULL, amount INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_milestones PRIMARY KEY (user_id, kind, game, rules, result_id),
    CONSTRAINT fk_milestones_result_id FOREIGN KEY (result_id)
        REFERENCES results (id) ON DELETE CASCADE
);
CREATE INDEX ix_milestones_result_id ON milestones (result_id);
CREATE TABLE rating_changes (
    user_id BIGINT NOT NULL, scope BIGINT NOT NULL, game TEXT NOT NULL, result_id BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL, rated BOOLEAN NOT NULL, mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL, games INTEGER NOT NULL, skipped INTEGER DEFAULT '0' NOT NULL,
    share DOUBLE PRECISION DEFAULT '1.0' NOT NULL,
    CONSTRAINT pk_rating_changes PRIMARY KEY (user_id, scope, game, result_id),
    CONSTRAINT fk_rating_changes_result_id FOREIGN KEY (result_id)
        REFERENCES results (id) ON DELETE CASCADE
);
CREATE INDEX ix_rating_changes_result_id ON rating_changes (result_id);
CREATE TABLE tournament_pairings (
    tournament_id BIGINT NOT NULL, round INTEGER NOT NULL, table_no INTEGER NOT NULL,
    stage TEXT NOT NULL,
    CONSTRAINT pk_tournament_pairings PRIMARY KEY (tournament_id, round, table_no),
    CONSTRAINT fk_tournament_pairings_tournament_id FOREIGN KEY (tournament_id, round)
        REFERENCES tournament_rounds (tournament_id, round) ON DELETE CASCADE
);
CREATE TABLE tournament_games (
    tournament_id BIGINT NOT NULL, round INTEGER NOT NULL, table_no INTEGER NOT NULL,
    number INTEGER NOT NULL, seats JSON NOT NULL, match_id BIGINT, points JSON, how TEXT NOT NULL,
    CONSTRAINT pk_tournament_games PRIMARY KEY (tournament_id, round, table_no, number),
    CONSTRAINT fk_tournament_games_tournament_id FOREIGN KEY (tournament_id, round, table_no)
        REFERENCES tournament_pairings (tournament_id, round, table_no) ON DELETE CASCADE,
    CONSTRAINT uq_tournament_games_match_id UNIQUE (match_id),
    CONSTRAINT ck_tournament_games_how CHECK (how IN ('played', 'adjudicated', 'forfeit',
        'void')),
    CONSTRAINT fk_tournament_games_match_id FOREIGN KEY (match_id) REFERENCES matches (id)
);
CREATE INDEX ix_tournament_games_open ON tournament_games (tournament_id, match_id)
    WHERE points IS NULL;
CREATE TABLE tournament_paired (
    tournament_id BIGINT NOT NULL, round INTEGER NOT NULL, table_no INTEGER NOT NULL,
    place INTEGER NOT NULL, user_id BIGINT NOT NULL,
    CONSTRAINT pk_tournament_paired PRIMARY KEY (tournament_id, round, table_no, place),
    CONSTRAINT fk_tournament_paired_tournament_id FOREIGN KEY (tournament_id, round, table_no)
        REFERENCES tournament_pairings (tournament_id, round, table_no) ON DELETE CASCADE
);
CREATE INDEX ix_tournament_paired_user_id ON tournament_paired (user_id);
"""
"""In PostgreSQL's words."""
ON_SQLITE: Final = {
    r"BIGSERIAL NOT NULL(.*), CONSTRAINT \w+ PRIMARY KEY \(id\)": r"INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT\1",
    r"BIGINT": "INTEGER",
    r"BOOLEAN": "INTEGER",
    r"BYTEA": "BLOB",
    r"DOUBLE PRECISION": "REAL",
    r"JSON|TIMESTAMPTZ": "TEXT",
    r"DEFAULT false": "DEFAULT 0",
    r"WHERE imported": "WHERE imported = 1",
}
"""What SQLite calls the same."""


def upgrade() -> None:
    """Create every table and index."""
    connection = op.get_bind()
    for statement in " ".join(TABLES.split()).rstrip(";").split("; "):
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(_on_sqlite(statement) if sqlite else statement)


def _on_sqlite(statement: str) -> str:
    numbered = "BIGSERIAL" in statement
    for ours, theirs in ON_SQLITE.items():
        statement = re.sub(ours, theirs, statement)
    if statement.startswith("CREATE TABLE"):
        statement += " STRICT" if numbered else " WITHOUT ROWID, STRICT"
    return statement
