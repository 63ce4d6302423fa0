-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.4

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.aborts (
    user_id bigint NOT NULL,
    match_id bigint NOT NULL,
    at timestamp with time zone NOT NULL
);


CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);


CREATE TABLE public.analyses (
    match_id bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    found json NOT NULL
);


CREATE TABLE public.attempts (
    user_id bigint NOT NULL,
    puzzle_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    solved boolean
);


CREATE TABLE public.audit (
    id bigint NOT NULL,
    guild_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    action text NOT NULL,
    match_id bigint,
    challenge_id bigint,
    detail json NOT NULL
);


CREATE SEQUENCE public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.audit_id_seq OWNED BY public.audit.id;


CREATE TABLE public.blocks (
    user_id bigint NOT NULL,
    blocked_id bigint NOT NULL,
    since timestamp with time zone NOT NULL
);


CREATE TABLE public.boards (
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    match_id bigint NOT NULL,
    ply integer NOT NULL,
    live boolean NOT NULL
);


CREATE TABLE public.bot_blocks (
    blocked_id bigint NOT NULL,
    server boolean NOT NULL,
    reason text NOT NULL,
    since timestamp with time zone NOT NULL
);


CREATE TABLE public.challenges (
    game text NOT NULL,
    options json NOT NULL,
    guild_id bigint,
    channel_id bigint NOT NULL,
    challenger_id bigint NOT NULL,
    seat integer,
    places integer,
    days integer,
    bank integer,
    rematch_of bigint,
    unrated boolean DEFAULT false NOT NULL,
    id bigint NOT NULL,
    message_id bigint,
    seed bytea NOT NULL,
    state text NOT NULL,
    match_id bigint,
    created_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    expires_at timestamp with time zone,
    hours integer,
    CONSTRAINT ck_challenges_state CHECK ((state = ANY (ARRAY['open'::text, 'started'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text])))
);


CREATE SEQUENCE public.challenges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.challenges_id_seq OWNED BY public.challenges.id;


CREATE TABLE public.clocks (
    match_id bigint NOT NULL,
    user_id bigint NOT NULL,
    ply integer NOT NULL,
    since timestamp with time zone NOT NULL,
    remind_at timestamp with time zone,
    due_at timestamp with time zone,
    "left" integer,
    lapsed_at timestamp with time zone,
    muted boolean DEFAULT false NOT NULL,
    next_at timestamp with time zone
);


CREATE TABLE public.computer_tasks (
    id bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    match_id bigint,
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    since timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    lease integer DEFAULT 0 NOT NULL,
    asked json,
    urgent boolean NOT NULL,
    turn bigint NOT NULL,
    place bigint NOT NULL,
    free_at double precision DEFAULT '0'::double precision NOT NULL,
    share double precision,
    answer json,
    CONSTRAINT ck_computer_tasks_kind CHECK ((kind = ANY (ARRAY['move'::text, 'hint'::text, 'analysis'::text, 'record analysis'::text, 'record'::text, 'ratings'::text])))
);


CREATE SEQUENCE public.computer_tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.computer_tasks_id_seq OWNED BY public.computer_tasks.id;


CREATE TABLE public.conditional_moves (
    id bigint NOT NULL,
    match_id bigint NOT NULL,
    seat integer NOT NULL,
    version bigint NOT NULL,
    path text NOT NULL,
    notation text NOT NULL
);


CREATE SEQUENCE public.conditional_moves_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.conditional_moves_id_seq OWNED BY public.conditional_moves.id;


CREATE TABLE public.courses (
    user_id bigint NOT NULL,
    game text NOT NULL,
    page integer NOT NULL
);


CREATE TABLE public.daily_answers (
    daily_id bigint NOT NULL,
    user_id bigint NOT NULL,
    solved boolean NOT NULL,
    first_try boolean NOT NULL,
    streak integer NOT NULL,
    at timestamp with time zone NOT NULL
);


CREATE TABLE public.daily_puzzles (
    id bigint NOT NULL,
    guild_id bigint NOT NULL,
    day text NOT NULL,
    puzzle_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    message_id bigint,
    closed_at timestamp with time zone
);


CREATE SEQUENCE public.daily_puzzles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.daily_puzzles_id_seq OWNED BY public.daily_puzzles.id;


CREATE TABLE public.excluded_players (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    decided_by bigint NOT NULL
);


CREATE TABLE public.followed_matches (
    user_id bigint NOT NULL,
    match_id bigint NOT NULL,
    since timestamp with time zone NOT NULL
);


CREATE TABLE public.followed_players (
    user_id bigint NOT NULL,
    guild_id bigint NOT NULL,
    player_id bigint NOT NULL,
    since timestamp with time zone NOT NULL
);


CREATE TABLE public.hints (
    match_id bigint NOT NULL,
    version integer NOT NULL,
    evaluation json NOT NULL
);


CREATE TABLE public.hourly_uses (
    user_id bigint NOT NULL,
    action text NOT NULL,
    since timestamp with time zone NOT NULL,
    number integer NOT NULL
);


CREATE TABLE public.identifies (
    bucket integer NOT NULL,
    next_at timestamp with time zone NOT NULL
);


CREATE TABLE public.imports (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    record text NOT NULL,
    game text NOT NULL,
    over boolean NOT NULL,
    luck json NOT NULL,
    found json
);


CREATE SEQUENCE public.imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.imports_id_seq OWNED BY public.imports.id;


CREATE TABLE public.invited (
    challenge_id bigint NOT NULL,
    user_id bigint NOT NULL,
    place integer NOT NULL,
    joined integer,
    word text
);


CREATE TABLE public.key_values (
    key text NOT NULL,
    value text NOT NULL
);


CREATE TABLE public.ladder_challenges (
    id bigint NOT NULL,
    ladder_id bigint NOT NULL,
    challenger_id bigint NOT NULL,
    challenged_id bigint NOT NULL,
    seed bytea NOT NULL,
    place integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    called_at timestamp with time zone,
    answer_by timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    challenger_word text DEFAULT ''::text NOT NULL,
    challenged_word text DEFAULT ''::text NOT NULL,
    reminded boolean DEFAULT false NOT NULL,
    match_id bigint,
    outcome text,
    gained_place integer,
    counted boolean DEFAULT false NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT ck_ladder_challenges_outcome CHECK ((outcome = ANY (ARRAY['won'::text, 'lost'::text, 'drawn'::text, 'void'::text, 'unanswered'::text, 'declined'::text, 'passed'::text, 'withdrawn'::text, 'left'::text, 'quit'::text, 'closed'::text, 'lapsed'::text])))
);


CREATE SEQUENCE public.ladder_challenges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.ladder_challenges_id_seq OWNED BY public.ladder_challenges.id;


CREATE TABLE public.ladder_events (
    id bigint NOT NULL,
    ladder_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    user_id bigint NOT NULL,
    other_id bigint,
    from_place integer,
    to_place integer,
    CONSTRAINT ck_ladder_events_kind CHECK ((kind = ANY (ARRAY['joined'::text, 'won'::text, 'defended'::text, 'drawn'::text, 'unanswered'::text, 'declined'::text, 'passed'::text, 'surrendered'::text, 'slid'::text, 'left'::text, 'gone'::text, 'idle'::text, 'removed'::text])))
);


CREATE SEQUENCE public.ladder_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.ladder_events_id_seq OWNED BY public.ladder_events.id;


CREATE TABLE public.ladder_places (
    ladder_id bigint NOT NULL,
    user_id bigint NOT NULL,
    place integer NOT NULL,
    best integer NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    active_at timestamp with time zone NOT NULL,
    slide_at timestamp with time zone NOT NULL,
    passed_at timestamp with time zone
);


CREATE TABLE public.ladders (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    game text NOT NULL,
    created_by bigint NOT NULL,
    reach integer NOT NULL,
    answer_days integer NOT NULL,
    idle_days integer NOT NULL,
    pause_days integer NOT NULL,
    days integer NOT NULL,
    game_days integer NOT NULL,
    unrated boolean NOT NULL,
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    lost_at timestamp with time zone,
    next_check_at timestamp with time zone
);


CREATE SEQUENCE public.ladders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.ladders_id_seq OWNED BY public.ladders.id;


CREATE TABLE public.matches (
    id bigint NOT NULL,
    game text NOT NULL,
    rules_version integer NOT NULL,
    options json NOT NULL,
    guild_id bigint,
    channel_id bigint NOT NULL,
    seed bytea NOT NULL,
    commitment text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    reason text,
    plies integer DEFAULT 0 NOT NULL,
    days integer,
    place text,
    parent_id bigint,
    takebacks integer DEFAULT 0 NOT NULL,
    ending text,
    ended_by bigint,
    unrated boolean DEFAULT false NOT NULL,
    hints integer DEFAULT 0 NOT NULL,
    eased boolean DEFAULT false NOT NULL,
    given_up integer DEFAULT 0 NOT NULL,
    restored integer DEFAULT 0 NOT NULL,
    challenge_id bigint DEFAULT '0'::bigint NOT NULL,
    drawn_for text,
    to_move integer,
    bank integer,
    game_days integer,
    hours integer,
    CONSTRAINT ck_matches_plies CHECK ((plies >= 0))
);


CREATE SEQUENCE public.matches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.matches_id_seq OWNED BY public.matches.id;


CREATE TABLE public.milestones (
    user_id bigint NOT NULL,
    kind text NOT NULL,
    game text NOT NULL,
    rules text NOT NULL,
    result_id bigint NOT NULL,
    amount integer DEFAULT 0 NOT NULL
);


CREATE TABLE public.moves (
    match_id bigint NOT NULL,
    ply integer NOT NULL,
    actor integer,
    notation text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    fingerprint bigint,
    CONSTRAINT ck_moves_ply CHECK ((ply >= 1))
);


CREATE TABLE public.notes (
    user_id bigint NOT NULL,
    match_id bigint NOT NULL,
    text text NOT NULL
);


CREATE TABLE public.offers (
    id bigint NOT NULL,
    match_id bigint NOT NULL,
    kind text NOT NULL,
    seat integer NOT NULL,
    ply integer NOT NULL,
    takebacks integer NOT NULL,
    given_up integer NOT NULL,
    refused integer NOT NULL,
    agreed text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    answered_by integer,
    channel_id bigint,
    message_id bigint,
    CONSTRAINT ck_offers_kind CHECK ((kind = ANY (ARRAY['draw'::text, 'takeback'::text]))),
    CONSTRAINT ck_offers_state CHECK ((state = ANY (ARRAY['open'::text, 'agreed'::text, 'declined'::text, 'withdrawn'::text, 'lapsed'::text])))
);


CREATE SEQUENCE public.offers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.offers_id_seq OWNED BY public.offers.id;


CREATE TABLE public.outbox (
    id bigint NOT NULL,
    match_id bigint,
    kind text NOT NULL,
    payload json NOT NULL,
    nonce text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    blocked text,
    not_before timestamp with time zone,
    done_at timestamp with time zone,
    CONSTRAINT ck_outbox_nonce CHECK (((length(nonce) >= 1) AND (length(nonce) <= 25)))
);


CREATE SEQUENCE public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;


CREATE TABLE public.outdated_ratings (
    game text NOT NULL,
    since_id bigint NOT NULL,
    version integer NOT NULL
);


CREATE TABLE public.owner_orders (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id bigint,
    what text NOT NULL,
    person_id bigint,
    guild_id bigint,
    detail json NOT NULL,
    due_at timestamp with time zone,
    answer text
);


CREATE SEQUENCE public.owner_orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.owner_orders_id_seq OWNED BY public.owner_orders.id;


CREATE TABLE public.people (
    user_id bigint NOT NULL,
    settings json NOT NULL,
    changed_at timestamp with time zone NOT NULL
);


CREATE TABLE public.players (
    match_id bigint NOT NULL,
    seat integer NOT NULL,
    user_id bigint NOT NULL,
    word text DEFAULT ''::text NOT NULL,
    rank integer,
    gave_up integer,
    gave_up_ply integer,
    gave_up_how text,
    place integer DEFAULT 0 NOT NULL,
    bank_left integer,
    guild_id bigint,
    result_id bigint,
    moves integer,
    seconds bigint
);


CREATE TABLE public.posts (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject bigint NOT NULL,
    part integer NOT NULL,
    user_id bigint NOT NULL,
    guild_id bigint,
    payload json NOT NULL,
    channel_id bigint,
    message_id bigint,
    copies integer NOT NULL,
    wanted integer NOT NULL,
    done integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    try_at timestamp with time zone,
    failures integer NOT NULL
);


CREATE SEQUENCE public.posts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.posts_id_seq OWNED BY public.posts.id;


CREATE TABLE public.processes (
    id text NOT NULL,
    role text NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    heartbeat_at timestamp with time zone NOT NULL,
    draining boolean NOT NULL,
    replaces boolean NOT NULL
);


CREATE TABLE public.puzzle_schedules (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    hour integer NOT NULL,
    next_at timestamp with time zone NOT NULL,
    notified boolean DEFAULT false NOT NULL
);


CREATE TABLE public.puzzles (
    id bigint NOT NULL,
    game text NOT NULL,
    options json NOT NULL,
    "position" text NOT NULL,
    solution text NOT NULL,
    evaluation json NOT NULL,
    fingerprint bigint NOT NULL,
    tried integer DEFAULT 0 NOT NULL,
    solved integer DEFAULT 0 NOT NULL,
    level integer,
    digest text NOT NULL,
    made_at timestamp with time zone NOT NULL
);


CREATE SEQUENCE public.puzzles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.puzzles_id_seq OWNED BY public.puzzles.id;


CREATE TABLE public.rating_changes (
    user_id bigint NOT NULL,
    scope bigint NOT NULL,
    game text NOT NULL,
    result_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    rated boolean NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    share double precision DEFAULT '1'::double precision NOT NULL
);


CREATE TABLE public.rating_histogram (
    scope bigint NOT NULL,
    game text NOT NULL,
    day integer NOT NULL,
    bucket integer NOT NULL,
    players integer NOT NULL
);


CREATE TABLE public.ratings (
    user_id bigint NOT NULL,
    scope bigint NOT NULL,
    game text NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL,
    lost integer NOT NULL,
    streak integer NOT NULL,
    best integer NOT NULL,
    form text NOT NULL,
    last_at timestamp with time zone NOT NULL,
    opponents integer DEFAULT 0 NOT NULL,
    established boolean DEFAULT false NOT NULL
);


CREATE TABLE public.results (
    id bigint NOT NULL,
    match_id bigint NOT NULL,
    game text NOT NULL,
    guild_id bigint,
    at timestamp with time zone NOT NULL,
    rated boolean NOT NULL
);


CREATE SEQUENCE public.results_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.results_id_seq OWNED BY public.results.id;


CREATE TABLE public.rivals (
    user_id bigint NOT NULL,
    scope bigint NOT NULL,
    rival_id bigint NOT NULL,
    game text NOT NULL,
    games integer NOT NULL,
    rated integer NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL
);


CREATE TABLE public.scores (
    user_id bigint NOT NULL,
    scope bigint NOT NULL,
    game text NOT NULL,
    seat integer NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL,
    lost integer NOT NULL,
    moves integer NOT NULL,
    seconds bigint NOT NULL
);


CREATE TABLE public.season_ratings (
    user_id bigint NOT NULL,
    scope bigint NOT NULL,
    game text NOT NULL,
    season integer NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    points integer NOT NULL,
    games integer NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL,
    lost integer NOT NULL,
    form text NOT NULL,
    opponents integer NOT NULL,
    ranked boolean NOT NULL
);


CREATE TABLE public.server_outages (
    guild_id bigint NOT NULL,
    since timestamp with time zone NOT NULL,
    grace_until timestamp with time zone
);


CREATE TABLE public.servers (
    guild_id bigint NOT NULL,
    settings json NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    changed_by bigint NOT NULL
);


CREATE TABLE public.shards (
    number integer NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    owner text,
    wanted_by text,
    connected boolean DEFAULT false NOT NULL,
    handled json
);


CREATE TABLE public.side_ratings (
    scope bigint NOT NULL,
    game text NOT NULL,
    seat integer NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer DEFAULT 0 NOT NULL,
    won integer DEFAULT 0 NOT NULL,
    drawn integer DEFAULT 0 NOT NULL
);


CREATE TABLE public.spent_limits (
    user_id bigint NOT NULL,
    action text NOT NULL,
    number integer NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    game text DEFAULT ''::text NOT NULL,
    opponent_id bigint DEFAULT '0'::bigint NOT NULL
);


CREATE TABLE public.tournament_entrants (
    user_id bigint NOT NULL,
    strength double precision DEFAULT '0'::double precision NOT NULL,
    joined_round integer DEFAULT 1 NOT NULL,
    left_after integer,
    replaces_user_id bigint,
    tournament_id bigint NOT NULL,
    number integer NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    leave_reason text,
    place integer,
    word text DEFAULT ''::text NOT NULL,
    CONSTRAINT ck_tournament_entrants_leave_reason CHECK ((leave_reason = ANY (ARRAY['left'::text, 'absent'::text, 'gone'::text, 'removed'::text])))
);


CREATE TABLE public.tournament_games (
    tournament_id bigint NOT NULL,
    round integer NOT NULL,
    table_no integer NOT NULL,
    number integer NOT NULL,
    seats json NOT NULL,
    match_id bigint,
    points json,
    how text NOT NULL,
    CONSTRAINT ck_tournament_games_how CHECK ((how = ANY (ARRAY['played'::text, 'adjudicated'::text, 'forfeit'::text, 'void'::text])))
);


CREATE TABLE public.tournament_imports (
    tournament_id bigint NOT NULL,
    pairings bytea NOT NULL
);


CREATE TABLE public.tournament_paired (
    tournament_id bigint NOT NULL,
    round integer NOT NULL,
    table_no integer NOT NULL,
    place integer NOT NULL,
    user_id bigint NOT NULL
);


CREATE TABLE public.tournament_pairings (
    tournament_id bigint NOT NULL,
    round integer NOT NULL,
    table_no integer NOT NULL,
    stage text NOT NULL
);


CREATE TABLE public.tournament_rounds (
    tournament_id bigint NOT NULL,
    round integer NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    warn_at timestamp with time zone,
    ended_at timestamp with time zone,
    forced boolean DEFAULT false NOT NULL,
    judged_until timestamp with time zone
);


CREATE TABLE public.tournaments (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    name text NOT NULL,
    game text NOT NULL,
    plan json NOT NULL,
    created_by bigint NOT NULL,
    days integer NOT NULL,
    bank integer,
    round_days integer,
    verdict text DEFAULT 'draw'::text NOT NULL,
    unrated boolean DEFAULT false NOT NULL,
    max_players integer DEFAULT 500 NOT NULL,
    min_rating integer,
    max_rating integer,
    established boolean DEFAULT false NOT NULL,
    role_id bigint,
    starts_at timestamp with time zone,
    monthly_day integer,
    options json NOT NULL,
    id bigint NOT NULL,
    thread_id bigint,
    message_id bigint,
    state text NOT NULL,
    seed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    round integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone,
    version integer DEFAULT 0 NOT NULL,
    imported boolean DEFAULT false NOT NULL,
    hours integer,
    CONSTRAINT ck_tournaments_state CHECK ((state = ANY (ARRAY['sign-up'::text, 'running'::text, 'adjourned'::text, 'finished'::text, 'cancelled'::text]))),
    CONSTRAINT ck_tournaments_verdict CHECK ((verdict = ANY (ARRAY['draw'::text, 'manager'::text, 'computer'::text])))
);


CREATE SEQUENCE public.tournaments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.tournaments_id_seq OWNED BY public.tournaments.id;


CREATE TABLE public.turn_calls (
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    match_id bigint NOT NULL,
    ply integer NOT NULL
);


CREATE TABLE public.vacations (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    over boolean NOT NULL
);


CREATE SEQUENCE public.vacations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.vacations_id_seq OWNED BY public.vacations.id;


CREATE TABLE public.web_sessions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    secret_hash text NOT NULL,
    opened boolean NOT NULL,
    match_id bigint,
    locale text NOT NULL,
    device text NOT NULL,
    since timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


CREATE SEQUENCE public.web_sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.web_sessions_id_seq OWNED BY public.web_sessions.id;


ALTER TABLE ONLY public.audit ALTER COLUMN id SET DEFAULT nextval('public.audit_id_seq'::regclass);


ALTER TABLE ONLY public.challenges ALTER COLUMN id SET DEFAULT nextval('public.challenges_id_seq'::regclass);


ALTER TABLE ONLY public.computer_tasks ALTER COLUMN id SET DEFAULT nextval('public.computer_tasks_id_seq'::regclass);


ALTER TABLE ONLY public.conditional_moves ALTER COLUMN id SET DEFAULT nextval('public.conditional_moves_id_seq'::regclass);


ALTER TABLE ONLY public.daily_puzzles ALTER COLUMN id SET DEFAULT nextval('public.daily_puzzles_id_seq'::regclass);


ALTER TABLE ONLY public.imports ALTER COLUMN id SET DEFAULT nextval('public.imports_id_seq'::regclass);


ALTER TABLE ONLY public.ladder_challenges ALTER COLUMN id SET DEFAULT nextval('public.ladder_challenges_id_seq'::regclass);


ALTER TABLE ONLY public.ladder_events ALTER COLUMN id SET DEFAULT nextval('public.ladder_events_id_seq'::regclass);


ALTER TABLE ONLY public.ladders ALTER COLUMN id SET DEFAULT nextval('public.ladders_id_seq'::regclass);


ALTER TABLE ONLY public.matches ALTER COLUMN id SET DEFAULT nextval('public.matches_id_seq'::regclass);


ALTER TABLE ONLY public.offers ALTER COLUMN id SET DEFAULT nextval('public.offers_id_seq'::regclass);


ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);


ALTER TABLE ONLY public.owner_orders ALTER COLUMN id SET DEFAULT nextval('public.owner_orders_id_seq'::regclass);


ALTER TABLE ONLY public.posts ALTER COLUMN id SET DEFAULT nextval('public.posts_id_seq'::regclass);


ALTER TABLE ONLY public.puzzles ALTER COLUMN id SET DEFAULT nextval('public.puzzles_id_seq'::regclass);


ALTER TABLE ONLY public.results ALTER COLUMN id SET DEFAULT nextval('public.results_id_seq'::regclass);


ALTER TABLE ONLY public.tournaments ALTER COLUMN id SET DEFAULT nextval('public.tournaments_id_seq'::regclass);


ALTER TABLE ONLY public.vacations ALTER COLUMN id SET DEFAULT nextval('public.vacations_id_seq'::regclass);


ALTER TABLE ONLY public.web_sessions ALTER COLUMN id SET DEFAULT nextval('public.web_sessions_id_seq'::regclass);


INSERT INTO public.alembic_version VALUES ('0004');


INSERT INTO public.challenges VALUES ('tablaaza', '{}', 1, 2, 11, NULL, NULL, 3, NULL, NULL, false, 1, NULL, '\x0101010101010101010101010101010101010101010101010101010101010101', 'started', 1, '2026-01-01 00:00:00+00', NULL, '2026-01-08 00:00:00+00', NULL);
INSERT INTO public.challenges VALUES ('tablan', '{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}', 1, 2, 11, NULL, NULL, 3, NULL, NULL, false, 2, NULL, '\x0202020202020202020202020202020202020202020202020202020202020202', 'started', 2, '2026-01-01 01:00:00+00', NULL, '2026-01-08 01:00:00+00', NULL);
INSERT INTO public.challenges VALUES ('tablut', '{"match": "false"}', 1, 2, 11, NULL, NULL, 3, NULL, NULL, false, 3, NULL, '\x0303030303030303030303030303030303030303030303030303030303030303', 'started', 3, '2026-01-01 02:00:00+00', NULL, '2026-01-08 02:00:00+00', NULL);
INSERT INTO public.challenges VALUES ('thaayam', '{}', 1, 2, 11, NULL, NULL, 3, NULL, NULL, false, 4, NULL, '\x0404040404040404040404040404040404040404040404040404040404040404', 'started', 4, '2026-01-01 03:00:00+00', NULL, '2026-01-08 03:00:00+00', NULL);
INSERT INTO public.challenges VALUES ('tablan', '{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}', 1, 2, 11, NULL, NULL, NULL, NULL, NULL, false, 5, NULL, '\x0505050505050505050505050505050505050505050505050505050505050505', 'started', 5, '2026-01-01 04:00:00+00', NULL, '2026-01-08 04:00:00+00', NULL);
INSERT INTO public.challenges VALUES ('tablan', '{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}', 1, 2, 11, NULL, NULL, NULL, NULL, NULL, false, 6, NULL, '\x0606060606060606060606060606060606060606060606060606060606060606', 'open', NULL, '2026-01-01 04:00:00+00', NULL, '2026-01-08 04:00:00+00', NULL);


INSERT INTO public.clocks VALUES (1, 11, 4, '2026-01-01 00:00:00+00', '2026-01-03 06:00:00+00', '2026-01-04 00:00:00+00', NULL, NULL, false, '2026-01-03 06:00:00+00');
INSERT INTO public.clocks VALUES (2, 11, 19, '2026-01-01 01:00:00+00', '2026-01-03 07:00:00+00', '2026-01-04 01:00:00+00', NULL, NULL, false, '2026-01-03 07:00:00+00');
INSERT INTO public.clocks VALUES (3, 11, 4, '2026-01-01 02:00:00+00', '2026-01-03 08:00:00+00', '2026-01-04 02:00:00+00', NULL, NULL, false, '2026-01-03 08:00:00+00');
INSERT INTO public.clocks VALUES (4, 11, 38, '2026-01-01 03:00:00+00', '2026-01-03 09:00:00+00', '2026-01-04 03:00:00+00', NULL, NULL, false, '2026-01-03 09:00:00+00');


INSERT INTO public.computer_tasks VALUES (1, 'analysis', '5', 5, 1, 0, '2026-01-01 04:00:00+00', 0, 0, NULL, false, 0, 0, 0, NULL, NULL);


INSERT INTO public.invited VALUES (1, 11, 0, 0, '');
INSERT INTO public.invited VALUES (1, 22, 1, 1, '');
INSERT INTO public.invited VALUES (2, 11, 0, 0, 'ann''s word');
INSERT INTO public.invited VALUES (2, 22, 1, 1, 'ben''s press');
INSERT INTO public.invited VALUES (3, 11, 0, 0, '');
INSERT INTO public.invited VALUES (3, 22, 1, 1, '');
INSERT INTO public.invited VALUES (4, 11, 0, 0, 'ann''s word');
INSERT INTO public.invited VALUES (4, 22, 1, 1, 'ben''s press');
INSERT INTO public.invited VALUES (5, 11, 0, 0, 'ann''s word');
INSERT INTO public.invited VALUES (5, 22, 1, 1, 'ben''s word');
INSERT INTO public.invited VALUES (6, 11, 0, 0, 'ann''s word');
INSERT INTO public.invited VALUES (6, 33, 1, NULL, NULL);


INSERT INTO public.key_values VALUES ('oldest program', '0001');


INSERT INTO public.matches VALUES (4, 'thaayam', 1, '{}', 1, 2, '\x0404040404040404040404040404040404040404040404040404040404040404', '9f4fb68f3e1dac82202f9aa581ce0bbf1f765df0e9ac3c8c57e20f685abab8ed', '2026-01-01 03:00:00+00', NULL, NULL, 38, 3, NULL, NULL, 0, NULL, NULL, false, 0, false, 0, 0, 4, NULL, 0, NULL, NULL, NULL);
INSERT INTO public.matches VALUES (1, 'tablaaza', 1, '{}', 1, 2, '\x0101010101010101010101010101010101010101010101010101010101010101', '72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793', '2026-01-01 00:00:00+00', NULL, NULL, 4, 3, NULL, NULL, 0, NULL, NULL, false, 0, false, 0, 0, 1, NULL, 0, NULL, NULL, NULL);
INSERT INTO public.matches VALUES (2, 'tablan', 1, '{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}', 1, 2, '\x0202020202020202020202020202020202020202020202020202020202020202', '75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a', '2026-01-01 01:00:00+00', NULL, NULL, 19, 3, NULL, NULL, 0, NULL, NULL, false, 0, false, 0, 0, 2, NULL, 0, NULL, NULL, NULL);
INSERT INTO public.matches VALUES (3, 'tablut', 1, '{"match": "false"}', 1, 2, '\x0303030303030303030303030303030303030303030303030303030303030303', '648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b', '2026-01-01 02:00:00+00', NULL, NULL, 4, 3, NULL, NULL, 0, NULL, NULL, false, 0, false, 0, 0, 3, NULL, 0, NULL, NULL, NULL);
INSERT INTO public.matches VALUES (5, 'tablan', 1, '{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}', 1, 2, '\x0505050505050505050505050505050505050505050505050505050505050505', 'f849d67325facf04177bc663b2dc544051831c589ef581d412f2eba44834e77c', '2026-01-01 04:00:00+00', '2026-01-01 04:00:00+00', 'Black resigned', 39, NULL, NULL, NULL, 0, 'resigned', 22, false, 0, false, 0, 0, 5, NULL, 0, NULL, NULL, NULL);


INSERT INTO public.milestones VALUES (11, 'win', 'tablan', 'walker', 1, 0);


INSERT INTO public.moves VALUES (1, 1, 0, 'a1', '2026-01-01 00:00:00+00', NULL);
INSERT INTO public.moves VALUES (1, 2, 1, 'a2', '2026-01-01 00:00:00+00', NULL);
INSERT INTO public.moves VALUES (1, 3, 0, 'a3', '2026-01-01 00:00:00+00', NULL);
INSERT INTO public.moves VALUES (1, 4, 1, 'a4', '2026-01-01 00:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 1, NULL, '*2', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 2, NULL, '*3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 3, NULL, '*1', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 4, 0, 'k1-l2', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 5, NULL, '*3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 6, NULL, '*3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 7, NULL, '*1', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 8, 0, 'i1-k1', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 9, NULL, '*3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 10, NULL, '*4', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 11, 1, 'h4-a3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 12, NULL, '*1', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 13, 1, 'j4-h4', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 14, NULL, '*1', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 15, 1, 'l4-j4', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 16, NULL, '*0', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 17, 1, 'k4-b3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 18, NULL, '*3', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (2, 19, NULL, '*1', '2026-01-01 01:00:00+00', NULL);
INSERT INTO public.moves VALUES (3, 1, 0, 'e3-f3', '2026-01-01 02:00:00+00', NULL);
INSERT INTO public.moves VALUES (3, 2, 1, 'd1-c1', '2026-01-01 02:00:00+00', NULL);
INSERT INTO public.moves VALUES (3, 3, 0, 'f3-g3', '2026-01-01 02:00:00+00', NULL);
INSERT INTO public.moves VALUES (3, 4, 1, 'c1-d1', '2026-01-01 02:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 1, NULL, '*3', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 2, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 3, NULL, '*2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 4, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 5, NULL, '*2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 6, 2, 'in', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 7, 2, 'c5+2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 8, NULL, '*2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 9, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 10, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 11, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 12, NULL, '*3', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 13, 2, 'in', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 14, 2, 'in', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 15, 2, 'in', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 16, 2, 'c5+3', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 17, NULL, '*2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 18, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 19, NULL, '*0', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 20, NULL, '*0', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 21, NULL, '*3', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 22, 2, 'c5+1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 23, 2, 'c5+3', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 24, 2, 'a5+8', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 25, 2, 'a4+8', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 26, NULL, '*2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 27, NULL, '*3', '2026-01-01 03:00:00+00', -1503202526362661670);
INSERT INTO public.moves VALUES (4, 28, 2, 'b5+3', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 29, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 30, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 31, NULL, '*2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 32, 0, 'in', '2026-01-01 03:00:00+00', -7884152844932952867);
INSERT INTO public.moves VALUES (4, 33, 0, 'in', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 34, 0, 'c1+2', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 35, NULL, '*0', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 36, NULL, '*1', '2026-01-01 03:00:00+00', NULL);
INSERT INTO public.moves VALUES (4, 37, NULL, '*2', '2026-01-01 03:00:00+00', -4898999327393818458);
INSERT INTO public.moves VALUES (4, 38, 0, 'in', '2026-01-01 03:00:00+00', -3931889894930413311);
INSERT INTO public.moves VALUES (5, 1, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 2, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 3, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 4, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 5, NULL, '*1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 6, 0, 'k1-l2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 7, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 8, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 9, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 10, NULL, '*4', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 11, 1, 'h4-a3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 12, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 13, NULL, '*4', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 14, 0, 'c1-k1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 15, NULL, '*1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 16, 0, 'a1-c1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 17, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 18, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 19, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 20, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 21, NULL, '*4', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 22, 0, 'f1-k2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 23, NULL, '*0', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 24, 0, 'c1-j2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 25, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 26, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 27, NULL, '*1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 28, 0, 'd1-f1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 29, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 30, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 31, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 32, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 33, NULL, '*4', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 34, 0, 'h1-i2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 35, NULL, '*2', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 36, NULL, '*1', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 37, 1, 'j4-h4', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 38, NULL, '*3', '2026-01-01 04:00:00+00', NULL);
INSERT INTO public.moves VALUES (5, 39, NULL, '*0', '2026-01-01 04:00:00+00', NULL);


INSERT INTO public.outbox VALUES (1, 1, 'board', '{"ply": 0, "after": null, "quietly": false, "undone": false}', 'm1p0', '2026-01-01 00:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (2, 1, 'board', '{"ply": 1, "after": 11, "quietly": false, "undone": false}', 'm1p1', '2026-01-01 00:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (3, 1, 'board', '{"ply": 2, "after": 22, "quietly": false, "undone": false}', 'm1p2', '2026-01-01 00:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (4, 1, 'board', '{"ply": 3, "after": 11, "quietly": false, "undone": false}', 'm1p3', '2026-01-01 00:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (5, 1, 'board', '{"ply": 4, "after": 22, "quietly": false, "undone": false}', 'm1p4', '2026-01-01 00:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (6, 2, 'board', '{"ply": 3, "after": null, "quietly": false, "undone": false}', 'm2p3', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (7, 2, 'board', '{"ply": 7, "after": 11, "quietly": false, "undone": false}', 'm2p7', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (8, 2, 'board', '{"ply": 10, "after": 11, "quietly": false, "undone": false}', 'm2p10', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (9, 2, 'board', '{"ply": 12, "after": 22, "quietly": false, "undone": false}', 'm2p12', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (10, 2, 'board', '{"ply": 14, "after": 22, "quietly": false, "undone": false}', 'm2p14', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (11, 2, 'board', '{"ply": 16, "after": 22, "quietly": false, "undone": false}', 'm2p16', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (12, 2, 'board', '{"ply": 19, "after": 22, "quietly": false, "undone": false}', 'm2p19', '2026-01-01 01:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (13, 3, 'board', '{"ply": 0, "after": null, "quietly": false, "undone": false}', 'm3p0', '2026-01-01 02:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (14, 3, 'board', '{"ply": 1, "after": 11, "quietly": false, "undone": false}', 'm3p1', '2026-01-01 02:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (15, 3, 'board', '{"ply": 2, "after": 22, "quietly": false, "undone": false}', 'm3p2', '2026-01-01 02:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (16, 3, 'board', '{"ply": 3, "after": 11, "quietly": false, "undone": false}', 'm3p3', '2026-01-01 02:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (17, 3, 'board', '{"ply": 4, "after": 22, "quietly": false, "undone": false}', 'm3p4', '2026-01-01 02:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (18, 4, 'board', '{"ply": 12, "after": null, "quietly": false, "undone": false}', 'm4p12', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (19, 4, 'board', '{"ply": 13, "after": 22, "quietly": false, "undone": false}', 'm4p13', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (20, 4, 'board', '{"ply": 14, "after": 22, "quietly": false, "undone": false}', 'm4p14', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (21, 4, 'board', '{"ply": 15, "after": 22, "quietly": false, "undone": false}', 'm4p15', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (22, 4, 'board', '{"ply": 21, "after": 22, "quietly": false, "undone": false}', 'm4p21', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (23, 4, 'board', '{"ply": 22, "after": 22, "quietly": false, "undone": false}', 'm4p22', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (24, 4, 'board', '{"ply": 23, "after": 22, "quietly": false, "undone": false}', 'm4p23', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (25, 4, 'board', '{"ply": 27, "after": 22, "quietly": false, "undone": false}', 'm4p27', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (26, 4, 'board', '{"ply": 32, "after": 22, "quietly": false, "undone": false}', 'm4p32', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (27, 4, 'board', '{"ply": 37, "after": 11, "quietly": false, "undone": false}', 'm4p37', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (28, 4, 'board', '{"ply": 38, "after": 11, "quietly": false, "undone": false}', 'm4p38', '2026-01-01 03:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (29, 5, 'board', '{"ply": 5, "after": null, "quietly": false, "undone": false}', 'm5p5', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (30, 5, 'board', '{"ply": 10, "after": 11, "quietly": false, "undone": false}', 'm5p10', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (31, 5, 'board', '{"ply": 13, "after": 22, "quietly": false, "undone": false}', 'm5p13', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (32, 5, 'board', '{"ply": 15, "after": 11, "quietly": false, "undone": false}', 'm5p15', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (33, 5, 'board', '{"ply": 21, "after": 11, "quietly": false, "undone": false}', 'm5p21', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (34, 5, 'board', '{"ply": 23, "after": 11, "quietly": false, "undone": false}', 'm5p23', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (35, 5, 'board', '{"ply": 27, "after": 11, "quietly": false, "undone": false}', 'm5p27', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (36, 5, 'board', '{"ply": 33, "after": 11, "quietly": false, "undone": false}', 'm5p33', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (37, 5, 'board', '{"ply": 36, "after": 11, "quietly": false, "undone": false}', 'm5p36', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (38, 5, 'board', '{"ply": 39, "after": 22, "quietly": false, "undone": false}', 'm5p39', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);
INSERT INTO public.outbox VALUES (39, 5, 'board', '{"ply": 39, "after": 22, "quietly": false, "undone": false}', 'm5end', '2026-01-01 04:00:00+00', 0, NULL, NULL, NULL);


INSERT INTO public.people VALUES (22, '{"confirm": true}', '2026-01-01 00:00:00+00');


INSERT INTO public.players VALUES (1, 0, 11, '', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (1, 1, 22, '', NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (2, 0, 11, 'ann''s word', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (2, 1, 22, 'ben''s press', NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (3, 0, 11, '', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (3, 1, 22, '', NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (4, 0, 11, 'ann''s word', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (4, 2, 22, 'ben''s press', NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.players VALUES (5, 0, 11, 'ann''s word', 1, NULL, NULL, NULL, 0, NULL, 1, 1, 2, 0);
INSERT INTO public.players VALUES (5, 1, 22, 'ben''s word', 2, NULL, NULL, NULL, 1, NULL, 1, 1, 2, 0);


INSERT INTO public.posts VALUES (1, 'challenge', 1, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 00:00:00+00', '2026-01-01 00:00:10+00', 0);
INSERT INTO public.posts VALUES (2, 'challenge', 2, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 01:00:00+00', '2026-01-01 01:00:10+00', 0);
INSERT INTO public.posts VALUES (3, 'challenge', 3, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 02:00:00+00', '2026-01-01 02:00:10+00', 0);
INSERT INTO public.posts VALUES (4, 'challenge', 4, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 03:00:00+00', '2026-01-01 03:00:10+00', 0);
INSERT INTO public.posts VALUES (5, 'challenge', 5, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 04:00:00+00', '2026-01-01 04:00:10+00', 0);
INSERT INTO public.posts VALUES (6, 'result', 5, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 04:00:00+00', '2026-01-01 04:00:00+00', 0);
INSERT INTO public.posts VALUES (7, 'thread name', 5, 0, 0, 1, '{}', NULL, NULL, 0, 1, 0, '2026-01-01 04:00:00+00', '2026-01-01 04:00:00+00', 0);


INSERT INTO public.rating_changes VALUES (11, 0, 'tablan', 1, '2026-01-01 04:00:00+00', true, 25.16471184332128, 8.2676014097148, 1, 0, 0.0625);
INSERT INTO public.rating_changes VALUES (22, 0, 'tablan', 1, '2026-01-01 04:00:00+00', true, 24.83528815667872, 8.2676014097148, 1, 0, 0.0625);
INSERT INTO public.rating_changes VALUES (11, 1, 'tablan', 1, '2026-01-01 04:00:00+00', true, 25.16471184332128, 8.2676014097148, 1, 0, 0.0625);
INSERT INTO public.rating_changes VALUES (22, 1, 'tablan', 1, '2026-01-01 04:00:00+00', true, 24.83528815667872, 8.2676014097148, 1, 0, 0.0625);


INSERT INTO public.ratings VALUES (11, 0, 'tablan', 25.16471184332128, 8.2676014097148, 1, 1, 0, 0, 1, 1, 'w', '2026-01-01 04:00:00+00', 1, false);
INSERT INTO public.ratings VALUES (22, 0, 'tablan', 24.83528815667872, 8.2676014097148, 1, 0, 0, 1, -1, 0, 'l', '2026-01-01 04:00:00+00', 1, false);
INSERT INTO public.ratings VALUES (11, 1, 'tablan', 25.16471184332128, 8.2676014097148, 1, 1, 0, 0, 1, 1, 'w', '2026-01-01 04:00:00+00', 1, false);
INSERT INTO public.ratings VALUES (22, 1, 'tablan', 24.83528815667872, 8.2676014097148, 1, 0, 0, 1, -1, 0, 'l', '2026-01-01 04:00:00+00', 1, false);


INSERT INTO public.results VALUES (1, 5, 'tablan', 1, '2026-01-01 04:00:00+00', true);


INSERT INTO public.rivals VALUES (11, 0, 22, 'tablan', 1, 1, 1, 0);
INSERT INTO public.rivals VALUES (22, 0, 11, 'tablan', 1, 1, 0, 0);
INSERT INTO public.rivals VALUES (11, 1, 22, 'tablan', 1, 1, 1, 0);
INSERT INTO public.rivals VALUES (22, 1, 11, 'tablan', 1, 1, 0, 0);


INSERT INTO public.scores VALUES (11, 0, 'tablan', 0, 1, 0, 0, 2, 0);
INSERT INTO public.scores VALUES (22, 0, 'tablan', 1, 0, 0, 1, 2, 0);
INSERT INTO public.scores VALUES (11, 1, 'tablan', 0, 1, 0, 0, 2, 0);
INSERT INTO public.scores VALUES (22, 1, 'tablan', 1, 0, 0, 1, 2, 0);


INSERT INTO public.season_ratings VALUES (11, 1, 'tablan', 8104, 25.16471184332128, 8.2676014097148, 1507, 1, 1, 0, 0, 'w', 1, false);
INSERT INTO public.season_ratings VALUES (22, 1, 'tablan', 8104, 24.83528815667872, 8.2676014097148, 1493, 1, 0, 0, 1, 'l', 1, false);


INSERT INTO public.servers VALUES (1, '{"threads": false, "days": 5}', '2026-01-01 00:00:00+00', 33);


SELECT pg_catalog.setval('public.audit_id_seq', 1, false);


SELECT pg_catalog.setval('public.challenges_id_seq', 6, true);


SELECT pg_catalog.setval('public.computer_tasks_id_seq', 1, true);


SELECT pg_catalog.setval('public.conditional_moves_id_seq', 1, false);


SELECT pg_catalog.setval('public.daily_puzzles_id_seq', 1, false);


SELECT pg_catalog.setval('public.imports_id_seq', 1, false);


SELECT pg_catalog.setval('public.ladder_challenges_id_seq', 1, false);


SELECT pg_catalog.setval('public.ladder_events_id_seq', 1, false);


SELECT pg_catalog.setval('public.ladders_id_seq', 1, false);


SELECT pg_catalog.setval('public.matches_id_seq', 5, true);


SELECT pg_catalog.setval('public.offers_id_seq', 1, false);


SELECT pg_catalog.setval('public.outbox_id_seq', 39, true);


SELECT pg_catalog.setval('public.owner_orders_id_seq', 1, false);


SELECT pg_catalog.setval('public.posts_id_seq', 7, true);


SELECT pg_catalog.setval('public.puzzles_id_seq', 1, false);


SELECT pg_catalog.setval('public.results_id_seq', 1, true);


SELECT pg_catalog.setval('public.tournaments_id_seq', 1, false);


SELECT pg_catalog.setval('public.vacations_id_seq', 1, false);


SELECT pg_catalog.setval('public.web_sessions_id_seq', 1, false);


ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


ALTER TABLE ONLY public.aborts
    ADD CONSTRAINT pk_aborts PRIMARY KEY (user_id, match_id);


ALTER TABLE ONLY public.analyses
    ADD CONSTRAINT pk_analyses PRIMARY KEY (match_id);


ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT pk_attempts PRIMARY KEY (user_id, puzzle_id);


ALTER TABLE ONLY public.audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (id);


ALTER TABLE ONLY public.blocks
    ADD CONSTRAINT pk_blocks PRIMARY KEY (user_id, blocked_id);


ALTER TABLE ONLY public.boards
    ADD CONSTRAINT pk_boards PRIMARY KEY (message_id);


ALTER TABLE ONLY public.bot_blocks
    ADD CONSTRAINT pk_bot_blocks PRIMARY KEY (blocked_id);


ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT pk_challenges PRIMARY KEY (id);


ALTER TABLE ONLY public.clocks
    ADD CONSTRAINT pk_clocks PRIMARY KEY (match_id);


ALTER TABLE ONLY public.computer_tasks
    ADD CONSTRAINT pk_computer_tasks PRIMARY KEY (id);


ALTER TABLE ONLY public.conditional_moves
    ADD CONSTRAINT pk_conditional_moves PRIMARY KEY (id);


ALTER TABLE ONLY public.courses
    ADD CONSTRAINT pk_courses PRIMARY KEY (user_id, game);


ALTER TABLE ONLY public.daily_answers
    ADD CONSTRAINT pk_daily_answers PRIMARY KEY (daily_id, user_id);


ALTER TABLE ONLY public.daily_puzzles
    ADD CONSTRAINT pk_daily_puzzles PRIMARY KEY (id);


ALTER TABLE ONLY public.excluded_players
    ADD CONSTRAINT pk_excluded_players PRIMARY KEY (guild_id, user_id);


ALTER TABLE ONLY public.followed_matches
    ADD CONSTRAINT pk_followed_matches PRIMARY KEY (user_id, match_id);


ALTER TABLE ONLY public.followed_players
    ADD CONSTRAINT pk_followed_players PRIMARY KEY (user_id, guild_id, player_id);


ALTER TABLE ONLY public.hints
    ADD CONSTRAINT pk_hints PRIMARY KEY (match_id, version);


ALTER TABLE ONLY public.hourly_uses
    ADD CONSTRAINT pk_hourly_uses PRIMARY KEY (user_id, action);


ALTER TABLE ONLY public.identifies
    ADD CONSTRAINT pk_identifies PRIMARY KEY (bucket);


ALTER TABLE ONLY public.imports
    ADD CONSTRAINT pk_imports PRIMARY KEY (id);


ALTER TABLE ONLY public.invited
    ADD CONSTRAINT pk_invited PRIMARY KEY (challenge_id, user_id);


ALTER TABLE ONLY public.key_values
    ADD CONSTRAINT pk_key_values PRIMARY KEY (key);


ALTER TABLE ONLY public.ladder_challenges
    ADD CONSTRAINT pk_ladder_challenges PRIMARY KEY (id);


ALTER TABLE ONLY public.ladder_events
    ADD CONSTRAINT pk_ladder_events PRIMARY KEY (id);


ALTER TABLE ONLY public.ladder_places
    ADD CONSTRAINT pk_ladder_places PRIMARY KEY (ladder_id, user_id);


ALTER TABLE ONLY public.ladders
    ADD CONSTRAINT pk_ladders PRIMARY KEY (id);


ALTER TABLE ONLY public.matches
    ADD CONSTRAINT pk_matches PRIMARY KEY (id);


ALTER TABLE ONLY public.milestones
    ADD CONSTRAINT pk_milestones PRIMARY KEY (user_id, kind, game, rules, result_id);


ALTER TABLE ONLY public.moves
    ADD CONSTRAINT pk_moves PRIMARY KEY (match_id, ply);


ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (user_id, match_id);


ALTER TABLE ONLY public.offers
    ADD CONSTRAINT pk_offers PRIMARY KEY (id);


ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);


ALTER TABLE ONLY public.outdated_ratings
    ADD CONSTRAINT pk_outdated_ratings PRIMARY KEY (game);


ALTER TABLE ONLY public.owner_orders
    ADD CONSTRAINT pk_owner_orders PRIMARY KEY (id);


ALTER TABLE ONLY public.people
    ADD CONSTRAINT pk_people PRIMARY KEY (user_id);


ALTER TABLE ONLY public.players
    ADD CONSTRAINT pk_players PRIMARY KEY (match_id, seat);


ALTER TABLE ONLY public.posts
    ADD CONSTRAINT pk_posts PRIMARY KEY (id);


ALTER TABLE ONLY public.processes
    ADD CONSTRAINT pk_processes PRIMARY KEY (id);


ALTER TABLE ONLY public.puzzle_schedules
    ADD CONSTRAINT pk_puzzle_schedules PRIMARY KEY (guild_id);


ALTER TABLE ONLY public.puzzles
    ADD CONSTRAINT pk_puzzles PRIMARY KEY (id);


ALTER TABLE ONLY public.rating_changes
    ADD CONSTRAINT pk_rating_changes PRIMARY KEY (user_id, scope, game, result_id);


ALTER TABLE ONLY public.rating_histogram
    ADD CONSTRAINT pk_rating_histogram PRIMARY KEY (scope, game, day, bucket);


ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (user_id, scope, game);


ALTER TABLE ONLY public.results
    ADD CONSTRAINT pk_results PRIMARY KEY (id);


ALTER TABLE ONLY public.rivals
    ADD CONSTRAINT pk_rivals PRIMARY KEY (user_id, scope, rival_id, game);


ALTER TABLE ONLY public.scores
    ADD CONSTRAINT pk_scores PRIMARY KEY (user_id, scope, game, seat);


ALTER TABLE ONLY public.season_ratings
    ADD CONSTRAINT pk_season_ratings PRIMARY KEY (user_id, scope, game, season);


ALTER TABLE ONLY public.server_outages
    ADD CONSTRAINT pk_server_outages PRIMARY KEY (guild_id);


ALTER TABLE ONLY public.servers
    ADD CONSTRAINT pk_servers PRIMARY KEY (guild_id);


ALTER TABLE ONLY public.shards
    ADD CONSTRAINT pk_shards PRIMARY KEY (number);


ALTER TABLE ONLY public.side_ratings
    ADD CONSTRAINT pk_side_ratings PRIMARY KEY (scope, game, seat);


ALTER TABLE ONLY public.spent_limits
    ADD CONSTRAINT pk_spent_limits PRIMARY KEY (user_id, action, game, opponent_id);


ALTER TABLE ONLY public.tournament_entrants
    ADD CONSTRAINT pk_tournament_entrants PRIMARY KEY (tournament_id, user_id);


ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT pk_tournament_games PRIMARY KEY (tournament_id, round, table_no, number);


ALTER TABLE ONLY public.tournament_imports
    ADD CONSTRAINT pk_tournament_imports PRIMARY KEY (tournament_id);


ALTER TABLE ONLY public.tournament_paired
    ADD CONSTRAINT pk_tournament_paired PRIMARY KEY (tournament_id, round, table_no, place);


ALTER TABLE ONLY public.tournament_pairings
    ADD CONSTRAINT pk_tournament_pairings PRIMARY KEY (tournament_id, round, table_no);


ALTER TABLE ONLY public.tournament_rounds
    ADD CONSTRAINT pk_tournament_rounds PRIMARY KEY (tournament_id, round);


ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT pk_tournaments PRIMARY KEY (id);


ALTER TABLE ONLY public.turn_calls
    ADD CONSTRAINT pk_turn_calls PRIMARY KEY (message_id);


ALTER TABLE ONLY public.vacations
    ADD CONSTRAINT pk_vacations PRIMARY KEY (id);


ALTER TABLE ONLY public.web_sessions
    ADD CONSTRAINT pk_web_sessions PRIMARY KEY (id);


ALTER TABLE ONLY public.computer_tasks
    ADD CONSTRAINT uq_computer_tasks_kind_name UNIQUE (kind, name);


ALTER TABLE ONLY public.conditional_moves
    ADD CONSTRAINT uq_conditional_moves_match_id_seat_path UNIQUE (match_id, seat, path);


ALTER TABLE ONLY public.daily_puzzles
    ADD CONSTRAINT uq_daily_puzzles_guild_id_day UNIQUE (guild_id, day);


ALTER TABLE ONLY public.invited
    ADD CONSTRAINT uq_invited_challenge_id_joined UNIQUE (challenge_id, joined);


ALTER TABLE ONLY public.invited
    ADD CONSTRAINT uq_invited_challenge_id_place UNIQUE (challenge_id, place);


ALTER TABLE ONLY public.offers
    ADD CONSTRAINT uq_offers_match_id_kind_seat UNIQUE (match_id, kind, seat);


ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT uq_outbox_nonce UNIQUE (nonce);


ALTER TABLE ONLY public.players
    ADD CONSTRAINT uq_players_match_id_user_id UNIQUE (match_id, user_id);


ALTER TABLE ONLY public.posts
    ADD CONSTRAINT uq_posts_kind_subject_part_user_id UNIQUE (kind, subject, part, user_id);


ALTER TABLE ONLY public.puzzles
    ADD CONSTRAINT uq_puzzles_digest UNIQUE (digest);


ALTER TABLE ONLY public.results
    ADD CONSTRAINT uq_results_match_id UNIQUE (match_id);


ALTER TABLE ONLY public.tournament_entrants
    ADD CONSTRAINT uq_tournament_entrants_tournament_id_number UNIQUE (tournament_id, number);


ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT uq_tournament_games_match_id UNIQUE (match_id);


CREATE INDEX ix_aborts_at ON public.aborts USING btree (at);


CREATE INDEX ix_aborts_match_id ON public.aborts USING btree (match_id);


CREATE INDEX ix_attempts_puzzle_id ON public.attempts USING btree (puzzle_id);


CREATE INDEX ix_audit_guild_id ON public.audit USING btree (guild_id, id);


CREATE INDEX ix_boards_match_id ON public.boards USING btree (match_id, ply);


CREATE INDEX ix_challenges_challenger_id ON public.challenges USING btree (challenger_id);


CREATE INDEX ix_challenges_match_id ON public.challenges USING btree (match_id);


CREATE INDEX ix_challenges_state_channel_id ON public.challenges USING btree (state, channel_id);


CREATE INDEX ix_challenges_state_expires_at ON public.challenges USING btree (state, expires_at);


CREATE INDEX ix_challenges_state_guild_id ON public.challenges USING btree (state, guild_id);


CREATE INDEX ix_clocks_next_at ON public.clocks USING btree (next_at);


CREATE INDEX ix_clocks_user_id ON public.clocks USING btree (user_id);


CREATE INDEX ix_computer_tasks_guild_id ON public.computer_tasks USING btree (guild_id, urgent, user_id);


CREATE INDEX ix_computer_tasks_match_id ON public.computer_tasks USING btree (match_id);


CREATE INDEX ix_computer_tasks_turn ON public.computer_tasks USING btree (urgent, turn);


CREATE INDEX ix_daily_answers_user_id ON public.daily_answers USING btree (user_id);


CREATE INDEX ix_daily_puzzles_puzzle_id ON public.daily_puzzles USING btree (puzzle_id, closed_at);


CREATE INDEX ix_followed_matches_match_id ON public.followed_matches USING btree (match_id);


CREATE INDEX ix_followed_players_player_id ON public.followed_players USING btree (player_id, guild_id);


CREATE INDEX ix_hourly_uses_since ON public.hourly_uses USING btree (since);


CREATE INDEX ix_imports_user_id ON public.imports USING btree (user_id);


CREATE INDEX ix_ladder_challenges_challenged_id ON public.ladder_challenges USING btree (challenged_id);


CREATE INDEX ix_ladder_challenges_challenger_id ON public.ladder_challenges USING btree (challenger_id);


CREATE INDEX ix_ladder_challenges_due_at ON public.ladder_challenges USING btree (due_at);


CREATE INDEX ix_ladder_challenges_ladder_id ON public.ladder_challenges USING btree (ladder_id, ended_at);


CREATE INDEX ix_ladder_challenges_match_id ON public.ladder_challenges USING btree (match_id);


CREATE INDEX ix_ladder_events_ladder_id ON public.ladder_events USING btree (ladder_id, id);


CREATE INDEX ix_ladder_events_other_id ON public.ladder_events USING btree (other_id);


CREATE INDEX ix_ladder_events_user_id ON public.ladder_events USING btree (user_id);


CREATE INDEX ix_ladder_places_user_id ON public.ladder_places USING btree (user_id);


CREATE INDEX ix_ladders_guild_id ON public.ladders USING btree (guild_id);


CREATE INDEX ix_ladders_next_check_at ON public.ladders USING btree (next_check_at);


CREATE INDEX ix_matches_channel_id ON public.matches USING btree (channel_id);


CREATE INDEX ix_matches_finished_at ON public.matches USING btree (finished_at);


CREATE INDEX ix_matches_guild_id_finished_at ON public.matches USING btree (guild_id, finished_at);


CREATE INDEX ix_milestones_result_id ON public.milestones USING btree (result_id);


CREATE INDEX ix_moves_fingerprint ON public.moves USING btree (fingerprint) WHERE (fingerprint IS NOT NULL);


CREATE INDEX ix_notes_match_id ON public.notes USING btree (match_id);


CREATE INDEX ix_outbox_done_at ON public.outbox USING btree (done_at) WHERE (done_at IS NOT NULL);


CREATE INDEX ix_outbox_not_before ON public.outbox USING btree (not_before) WHERE ((done_at IS NULL) AND (not_before IS NOT NULL));


CREATE INDEX ix_outbox_pending ON public.outbox USING btree (match_id, id) WHERE (done_at IS NULL);


CREATE INDEX ix_owner_orders_due_at ON public.owner_orders USING btree (due_at) WHERE (due_at IS NOT NULL);


CREATE INDEX ix_players_guild_id ON public.players USING btree (user_id, guild_id, result_id);


CREATE INDEX ix_players_result_id ON public.players USING btree (user_id, result_id);


CREATE INDEX ix_players_user_id ON public.players USING btree (user_id, match_id);


CREATE INDEX ix_posts_try_at ON public.posts USING btree (try_at) WHERE (try_at IS NOT NULL);


CREATE INDEX ix_posts_user_id ON public.posts USING btree (user_id);


CREATE INDEX ix_puzzle_schedules_next_at ON public.puzzle_schedules USING btree (next_at);


CREATE INDEX ix_puzzles_fingerprint ON public.puzzles USING btree (fingerprint);


CREATE INDEX ix_puzzles_game ON public.puzzles USING btree (game, id);


CREATE INDEX ix_rating_changes_result_id ON public.rating_changes USING btree (result_id);


CREATE INDEX ix_ratings_games ON public.ratings USING btree (scope, game, established, games, mu, user_id);


CREATE INDEX ix_ratings_last_at ON public.ratings USING btree (scope, game, established, last_at, user_id);


CREATE INDEX ix_ratings_mu ON public.ratings USING btree (scope, game, established, mu, games, user_id, last_at);


CREATE INDEX ix_results_game ON public.results USING btree (game, id);


CREATE INDEX ix_rivals_games ON public.rivals USING btree (user_id, scope, games);


CREATE INDEX ix_season_ratings_points ON public.season_ratings USING btree (scope, game, season, ranked, points, games, user_id);


CREATE INDEX ix_shards_owner ON public.shards USING btree (owner);


CREATE INDEX ix_spent_limits_ends_at ON public.spent_limits USING btree (ends_at);


CREATE INDEX ix_tournament_entrants_user_id ON public.tournament_entrants USING btree (user_id);


CREATE INDEX ix_tournament_games_open ON public.tournament_games USING btree (tournament_id, match_id) WHERE (points IS NULL);


CREATE INDEX ix_tournament_paired_user_id ON public.tournament_paired USING btree (user_id);


CREATE INDEX ix_tournaments_guild_id ON public.tournaments USING btree (guild_id, state);


CREATE INDEX ix_tournaments_imported ON public.tournaments USING btree (guild_id) WHERE imported;


CREATE INDEX ix_tournaments_next_at ON public.tournaments USING btree (next_at);


CREATE INDEX ix_turn_calls_match_id ON public.turn_calls USING btree (match_id);


CREATE INDEX ix_vacations_over_ends_at ON public.vacations USING btree (over, ends_at);


CREATE INDEX ix_vacations_user_id ON public.vacations USING btree (user_id, ends_at);


CREATE INDEX ix_web_sessions_expires_at ON public.web_sessions USING btree (expires_at);


CREATE UNIQUE INDEX ix_web_sessions_secret_hash ON public.web_sessions USING btree (secret_hash);


CREATE INDEX ix_web_sessions_user_id ON public.web_sessions USING btree (user_id);


CREATE UNIQUE INDEX ux_ladder_challenges_in ON public.ladder_challenges USING btree (ladder_id, challenged_id) WHERE ((ended_at IS NULL) AND (called_at IS NOT NULL));


CREATE UNIQUE INDEX ux_ladder_challenges_out ON public.ladder_challenges USING btree (ladder_id, challenger_id) WHERE (ended_at IS NULL);


CREATE UNIQUE INDEX ux_ladders_open ON public.ladders USING btree (guild_id, game) WHERE (closed_at IS NULL);


ALTER TABLE ONLY public.aborts
    ADD CONSTRAINT fk_aborts_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.analyses
    ADD CONSTRAINT fk_analyses_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT fk_attempts_puzzle_id FOREIGN KEY (puzzle_id) REFERENCES public.puzzles(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.boards
    ADD CONSTRAINT fk_boards_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT fk_challenges_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);


ALTER TABLE ONLY public.clocks
    ADD CONSTRAINT fk_clocks_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.computer_tasks
    ADD CONSTRAINT fk_computer_tasks_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.conditional_moves
    ADD CONSTRAINT fk_conditional_moves_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.daily_answers
    ADD CONSTRAINT fk_daily_answers_daily_id FOREIGN KEY (daily_id) REFERENCES public.daily_puzzles(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.daily_puzzles
    ADD CONSTRAINT fk_daily_puzzles_puzzle_id FOREIGN KEY (puzzle_id) REFERENCES public.puzzles(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.followed_matches
    ADD CONSTRAINT fk_followed_matches_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.hints
    ADD CONSTRAINT fk_hints_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.invited
    ADD CONSTRAINT fk_invited_challenge_id FOREIGN KEY (challenge_id) REFERENCES public.challenges(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.ladder_challenges
    ADD CONSTRAINT fk_ladder_challenges_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.ladder_challenges
    ADD CONSTRAINT fk_ladder_challenges_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);


ALTER TABLE ONLY public.ladder_events
    ADD CONSTRAINT fk_ladder_events_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.ladder_places
    ADD CONSTRAINT fk_ladder_places_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.milestones
    ADD CONSTRAINT fk_milestones_result_id FOREIGN KEY (result_id) REFERENCES public.results(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.moves
    ADD CONSTRAINT fk_moves_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.offers
    ADD CONSTRAINT fk_offers_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.players
    ADD CONSTRAINT fk_players_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.rating_changes
    ADD CONSTRAINT fk_rating_changes_result_id FOREIGN KEY (result_id) REFERENCES public.results(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.results
    ADD CONSTRAINT fk_results_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.tournament_entrants
    ADD CONSTRAINT fk_tournament_entrants_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT fk_tournament_games_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);


ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT fk_tournament_games_tournament_id FOREIGN KEY (tournament_id, round, table_no) REFERENCES public.tournament_pairings(tournament_id, round, table_no) ON DELETE CASCADE;


ALTER TABLE ONLY public.tournament_imports
    ADD CONSTRAINT fk_tournament_imports_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.tournament_paired
    ADD CONSTRAINT fk_tournament_paired_tournament_id FOREIGN KEY (tournament_id, round, table_no) REFERENCES public.tournament_pairings(tournament_id, round, table_no) ON DELETE CASCADE;


ALTER TABLE ONLY public.tournament_pairings
    ADD CONSTRAINT fk_tournament_pairings_tournament_id FOREIGN KEY (tournament_id, round) REFERENCES public.tournament_rounds(tournament_id, round) ON DELETE CASCADE;


ALTER TABLE ONLY public.tournament_rounds
    ADD CONSTRAINT fk_tournament_rounds_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.turn_calls
    ADD CONSTRAINT fk_turn_calls_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id) ON DELETE CASCADE;


