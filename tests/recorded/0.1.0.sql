BEGIN TRANSACTION;
CREATE TABLE aborts (
	user_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	CONSTRAINT pk_aborts PRIMARY KEY (user_id, match_id), 
	CONSTRAINT fk_aborts_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE analyses (
	match_id INTEGER NOT NULL, 
	made_at TEXT NOT NULL, 
	found TEXT NOT NULL, 
	CONSTRAINT pk_analyses PRIMARY KEY (match_id), 
	CONSTRAINT fk_analyses_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE attempts (
	user_id INTEGER NOT NULL, 
	puzzle_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	solved INTEGER, 
	CONSTRAINT pk_attempts PRIMARY KEY (user_id, puzzle_id), 
	CONSTRAINT fk_attempts_puzzle_id FOREIGN KEY(puzzle_id) REFERENCES puzzles (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE audit (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	user_id INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	match_id INTEGER, 
	challenge_id INTEGER, 
	detail TEXT NOT NULL
)
 STRICT

;
CREATE TABLE blocks (
	user_id INTEGER NOT NULL, 
	blocked_id INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	CONSTRAINT pk_blocks PRIMARY KEY (user_id, blocked_id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE boards (
	message_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	live INTEGER NOT NULL, 
	CONSTRAINT pk_boards PRIMARY KEY (message_id), 
	CONSTRAINT fk_boards_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
CREATE TABLE challenges (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	guild_id INTEGER, 
	channel_id INTEGER NOT NULL, 
	message_id INTEGER, 
	challenger_id INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	seat INTEGER, 
	state TEXT NOT NULL, 
	match_id INTEGER, 
	created_at TEXT NOT NULL, 
	closed_at TEXT, 
	expires_at TEXT, 
	places INTEGER, 
	days INTEGER, 
	rematch_of INTEGER, 
	casual INTEGER DEFAULT 0 NOT NULL, 
	in_order INTEGER DEFAULT 0 NOT NULL, 
	bank INTEGER, 
	CONSTRAINT ck_challenges_state CHECK (state IN ('open', 'started', 'declined', 'withdrawn', 'expired')), 
	CONSTRAINT fk_challenges_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
INSERT INTO "challenges" VALUES(1,'tablaaza','{}',1,2,NULL,11,X'0101010101010101010101010101010101010101010101010101010101010101',NULL,'started',1,'2026-01-01T00:00:00.000000+00:00',NULL,'2026-01-08T00:00:00.000000+00:00',NULL,3,NULL,0,0,NULL);
INSERT INTO "challenges" VALUES(2,'tablan','{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}',1,2,NULL,11,X'0202020202020202020202020202020202020202020202020202020202020202',NULL,'started',2,'2026-01-01T01:00:00.000000+00:00',NULL,'2026-01-08T01:00:00.000000+00:00',NULL,3,NULL,0,0,NULL);
INSERT INTO "challenges" VALUES(3,'tablut','{"match": "false"}',1,2,NULL,11,X'0303030303030303030303030303030303030303030303030303030303030303',NULL,'started',3,'2026-01-01T02:00:00.000000+00:00',NULL,'2026-01-08T02:00:00.000000+00:00',NULL,3,NULL,0,0,NULL);
INSERT INTO "challenges" VALUES(4,'thaayam','{}',1,2,NULL,11,X'0404040404040404040404040404040404040404040404040404040404040404',NULL,'started',4,'2026-01-01T03:00:00.000000+00:00',NULL,'2026-01-08T03:00:00.000000+00:00',NULL,3,NULL,0,0,NULL);
INSERT INTO "challenges" VALUES(5,'tablan','{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}',1,2,NULL,11,X'0505050505050505050505050505050505050505050505050505050505050505',NULL,'started',5,'2026-01-01T04:00:00.000000+00:00',NULL,'2026-01-08T04:00:00.000000+00:00',NULL,NULL,NULL,0,0,NULL);
INSERT INTO "challenges" VALUES(6,'tablan','{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}',1,2,NULL,11,X'0606060606060606060606060606060606060606060606060606060606060606',NULL,'open',NULL,'2026-01-01T04:00:00.000000+00:00',NULL,'2026-01-08T04:00:00.000000+00:00',NULL,NULL,NULL,0,0,NULL);
CREATE TABLE clocks (
	match_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	remind_at TEXT, 
	due_at TEXT, 
	"left" INTEGER, 
	lapsed_at TEXT, 
	muted INTEGER NOT NULL, 
	next_at TEXT, 
	CONSTRAINT pk_clocks PRIMARY KEY (match_id), 
	CONSTRAINT fk_clocks_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "clocks" VALUES(1,11,4,'2026-01-01T00:00:00.000000+00:00','2026-01-03T06:00:00.000000+00:00','2026-01-04T00:00:00.000000+00:00',NULL,NULL,0,'2026-01-03T06:00:00.000000+00:00');
INSERT INTO "clocks" VALUES(2,11,19,'2026-01-01T01:00:00.000000+00:00','2026-01-03T07:00:00.000000+00:00','2026-01-04T01:00:00.000000+00:00',NULL,NULL,0,'2026-01-03T07:00:00.000000+00:00');
INSERT INTO "clocks" VALUES(3,11,4,'2026-01-01T02:00:00.000000+00:00','2026-01-03T08:00:00.000000+00:00','2026-01-04T02:00:00.000000+00:00',NULL,NULL,0,'2026-01-03T08:00:00.000000+00:00');
INSERT INTO "clocks" VALUES(4,11,38,'2026-01-01T03:00:00.000000+00:00','2026-01-03T09:00:00.000000+00:00','2026-01-04T03:00:00.000000+00:00',NULL,NULL,0,'2026-01-03T09:00:00.000000+00:00');
CREATE TABLE computer_tasks (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	match_id INTEGER, 
	guild_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	urgent INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	since TEXT, 
	free_at REAL DEFAULT '0' NOT NULL, 
	lease INTEGER DEFAULT '0' NOT NULL, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	share REAL, 
	asked TEXT, 
	answer TEXT, 
	CONSTRAINT ck_computer_tasks_kind CHECK (kind IN ('move', 'hint', 'analysis', 'record analysis', 'record', 'ratings')), 
	CONSTRAINT uq_computer_tasks_kind_name UNIQUE (kind, name), 
	CONSTRAINT fk_computer_tasks_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
INSERT INTO "computer_tasks" VALUES(1,'analysis','5',5,1,0,0,0,0,'2026-01-01T04:00:00.000000+00:00',0.0,0,0,NULL,NULL,NULL);
CREATE TABLE conditional_moves (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	match_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	path TEXT NOT NULL, 
	notation TEXT NOT NULL, 
	CONSTRAINT uq_conditional_moves_match_id_seat_path UNIQUE (match_id, seat, path), 
	CONSTRAINT fk_conditional_moves_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
CREATE TABLE courses (
	user_id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	page INTEGER NOT NULL, 
	CONSTRAINT pk_courses PRIMARY KEY (user_id, game)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE daily_answers (
	daily_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	solved INTEGER NOT NULL, 
	first_try INTEGER NOT NULL, 
	streak INTEGER NOT NULL, 
	CONSTRAINT pk_daily_answers PRIMARY KEY (daily_id, user_id), 
	CONSTRAINT fk_daily_answers_daily_id FOREIGN KEY(daily_id) REFERENCES daily_puzzles (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE daily_puzzles (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild_id INTEGER NOT NULL, 
	day TEXT NOT NULL, 
	puzzle_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	message_id INTEGER, 
	closed_at TEXT, 
	CONSTRAINT uq_daily_puzzles_guild_id_day UNIQUE (guild_id, day), 
	CONSTRAINT fk_daily_puzzles_puzzle_id FOREIGN KEY(puzzle_id) REFERENCES puzzles (id) ON DELETE CASCADE
)
 STRICT

;
CREATE TABLE excluded_players (
	guild_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	decided_by INTEGER NOT NULL, 
	CONSTRAINT pk_excluded_players PRIMARY KEY (guild_id, user_id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE feats (
	user_id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	game TEXT NOT NULL, 
	rules TEXT NOT NULL, 
	result_id INTEGER NOT NULL, 
	amount INTEGER NOT NULL, 
	CONSTRAINT pk_feats PRIMARY KEY (user_id, kind, game, rules, result_id), 
	CONSTRAINT fk_feats_result_id FOREIGN KEY(result_id) REFERENCES results (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "feats" VALUES(11,'win','tablan','walker',1,0);
CREATE TABLE followed_matches (
	user_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	CONSTRAINT pk_followed_matches PRIMARY KEY (user_id, match_id), 
	CONSTRAINT fk_followed_matches_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE followed_players (
	user_id INTEGER NOT NULL, 
	guild_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	CONSTRAINT pk_followed_players PRIMARY KEY (user_id, guild_id, player_id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE hints (
	match_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	evaluation TEXT NOT NULL, 
	CONSTRAINT pk_hints PRIMARY KEY (match_id, version), 
	CONSTRAINT fk_hints_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE hourly_uses (
	user_id INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	since TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	CONSTRAINT pk_hourly_uses PRIMARY KEY (user_id, action)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE identifies (
	bucket INTEGER NOT NULL, 
	next_at TEXT NOT NULL, 
	CONSTRAINT pk_identifies PRIMARY KEY (bucket)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE imports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	user_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	record TEXT NOT NULL, 
	game TEXT NOT NULL, 
	over INTEGER NOT NULL, 
	luck TEXT NOT NULL, 
	found TEXT
)
 STRICT

;
CREATE TABLE invited (
	challenge_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	joined INTEGER, 
	word TEXT, 
	CONSTRAINT pk_invited PRIMARY KEY (challenge_id, user_id), 
	CONSTRAINT uq_invited_challenge_id_place UNIQUE (challenge_id, place), 
	CONSTRAINT uq_invited_challenge_id_joined UNIQUE (challenge_id, joined), 
	CONSTRAINT fk_invited_challenge_id FOREIGN KEY(challenge_id) REFERENCES challenges (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "invited" VALUES(1,11,0,0,'');
INSERT INTO "invited" VALUES(1,22,1,1,'');
INSERT INTO "invited" VALUES(2,11,0,0,'ann''s word');
INSERT INTO "invited" VALUES(2,22,1,1,'ben''s press');
INSERT INTO "invited" VALUES(3,11,0,0,'');
INSERT INTO "invited" VALUES(3,22,1,1,'');
INSERT INTO "invited" VALUES(4,11,0,0,'ann''s word');
INSERT INTO "invited" VALUES(4,22,1,1,'ben''s press');
INSERT INTO "invited" VALUES(5,11,0,0,'ann''s word');
INSERT INTO "invited" VALUES(5,22,1,1,'ben''s word');
INSERT INTO "invited" VALUES(6,11,0,0,'ann''s word');
INSERT INTO "invited" VALUES(6,33,1,NULL,NULL);
CREATE TABLE key_values (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_key_values PRIMARY KEY ("key")
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE ladder_challenges (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	ladder_id INTEGER NOT NULL, 
	challenger_id INTEGER NOT NULL, 
	challenged_id INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	challenger_word TEXT DEFAULT '' NOT NULL, 
	challenged_word TEXT DEFAULT '' NOT NULL, 
	place INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	called_at TEXT, 
	answer_by TEXT NOT NULL, 
	reminded INTEGER DEFAULT 0 NOT NULL, 
	due_at TEXT, 
	match_id INTEGER, 
	outcome TEXT, 
	gained_place INTEGER, 
	counted INTEGER DEFAULT 0 NOT NULL, 
	ended_at TEXT, 
	CONSTRAINT ck_ladder_challenges_outcome CHECK (outcome IN ('won', 'lost', 'drawn', 'void', 'unanswered', 'declined', 'passed', 'withdrawn', 'left', 'quit', 'closed', 'lapsed')), 
	CONSTRAINT fk_ladder_challenges_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id) ON DELETE CASCADE, 
	CONSTRAINT fk_ladder_challenges_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE ladder_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	ladder_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	user_id INTEGER NOT NULL, 
	other_id INTEGER, 
	from_place INTEGER, 
	to_place INTEGER, 
	CONSTRAINT ck_ladder_events_kind CHECK (kind IN ('joined', 'won', 'defended', 'drawn', 'unanswered', 'declined', 'passed', 'surrendered', 'slid', 'left', 'gone', 'idle', 'removed')), 
	CONSTRAINT fk_ladder_events_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id) ON DELETE CASCADE
)
 STRICT

;
CREATE TABLE ladder_places (
	ladder_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	best INTEGER NOT NULL, 
	joined_at TEXT NOT NULL, 
	active_at TEXT NOT NULL, 
	slide_at TEXT NOT NULL, 
	passed_at TEXT, 
	CONSTRAINT pk_ladder_places PRIMARY KEY (ladder_id, user_id), 
	CONSTRAINT fk_ladder_places_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE ladders (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	created_by INTEGER NOT NULL, 
	reach INTEGER NOT NULL, 
	answer_days INTEGER NOT NULL, 
	idle_days INTEGER NOT NULL, 
	pause_days INTEGER NOT NULL, 
	days INTEGER NOT NULL, 
	game_days INTEGER NOT NULL, 
	casual INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	closed_at TEXT, 
	lost_at TEXT, 
	next_check_at TEXT
)
 STRICT

;
CREATE TABLE matches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game TEXT NOT NULL, 
	rules_version INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	guild_id INTEGER, 
	channel_id INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	commitment TEXT NOT NULL, 
	challenge_id INTEGER DEFAULT '0' NOT NULL, 
	drawn_for TEXT, 
	created_at TEXT NOT NULL, 
	finished_at TEXT, 
	reason TEXT, 
	plies INTEGER NOT NULL, 
	to_move INTEGER, 
	days INTEGER, 
	place TEXT, 
	parent_id INTEGER, 
	takebacks INTEGER DEFAULT '0' NOT NULL, 
	ending TEXT, 
	ended_by INTEGER, 
	casual INTEGER DEFAULT 0 NOT NULL, 
	hints INTEGER DEFAULT '0' NOT NULL, 
	eased INTEGER DEFAULT 0 NOT NULL, 
	given_up INTEGER DEFAULT '0' NOT NULL, 
	restored INTEGER DEFAULT '0' NOT NULL, 
	bank INTEGER, 
	game_days INTEGER, 
	CONSTRAINT ck_matches_plies CHECK (plies >= 0)
)
 STRICT

;
INSERT INTO "matches" VALUES(1,'tablaaza',1,'{}',1,2,X'0101010101010101010101010101010101010101010101010101010101010101','72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793',1,NULL,'2026-01-01T00:00:00.000000+00:00',NULL,NULL,4,0,3,NULL,NULL,0,NULL,NULL,0,0,0,0,0,NULL,NULL);
INSERT INTO "matches" VALUES(2,'tablan',1,'{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}',1,2,X'0202020202020202020202020202020202020202020202020202020202020202','75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a',2,NULL,'2026-01-01T01:00:00.000000+00:00',NULL,NULL,19,0,3,NULL,NULL,0,NULL,NULL,0,0,0,0,0,NULL,NULL);
INSERT INTO "matches" VALUES(3,'tablut',1,'{"match": "false"}',1,2,X'0303030303030303030303030303030303030303030303030303030303030303','648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b',3,NULL,'2026-01-01T02:00:00.000000+00:00',NULL,NULL,4,0,3,NULL,NULL,0,NULL,NULL,0,0,0,0,0,NULL,NULL);
INSERT INTO "matches" VALUES(4,'thaayam',1,'{}',1,2,X'0404040404040404040404040404040404040404040404040404040404040404','9f4fb68f3e1dac82202f9aa581ce0bbf1f765df0e9ac3c8c57e20f685abab8ed',4,NULL,'2026-01-01T03:00:00.000000+00:00',NULL,NULL,38,0,3,NULL,NULL,0,NULL,NULL,0,0,0,0,0,NULL,NULL);
INSERT INTO "matches" VALUES(5,'tablan',1,'{"rules": "walker", "course": "alongside", "unlock": "none", "order": "free", "end": "one-done", "tie": "draw"}',1,2,X'0505050505050505050505050505050505050505050505050505050505050505','f849d67325facf04177bc663b2dc544051831c589ef581d412f2eba44834e77c',5,NULL,'2026-01-01T04:00:00.000000+00:00','2026-01-01T04:00:00.000000+00:00','Black resigned',39,0,NULL,NULL,NULL,0,'resigned',22,0,0,0,0,0,NULL,NULL);
CREATE TABLE moves (
	match_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	actor INTEGER, 
	notation TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	fingerprint INTEGER, 
	CONSTRAINT pk_moves PRIMARY KEY (match_id, ply), 
	CONSTRAINT ck_moves_ply CHECK (ply >= 1), 
	CONSTRAINT fk_moves_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "moves" VALUES(1,1,0,'a1','2026-01-01T00:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(1,2,1,'a2','2026-01-01T00:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(1,3,0,'a3','2026-01-01T00:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(1,4,1,'a4','2026-01-01T00:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,1,NULL,'*2','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,2,NULL,'*3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,3,NULL,'*1','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,4,0,'k1-l2','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,5,NULL,'*3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,6,NULL,'*3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,7,NULL,'*1','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,8,0,'i1-k1','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,9,NULL,'*3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,10,NULL,'*4','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,11,1,'h4-a3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,12,NULL,'*1','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,13,1,'j4-h4','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,14,NULL,'*1','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,15,1,'l4-j4','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,16,NULL,'*0','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,17,1,'k4-b3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,18,NULL,'*3','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(2,19,NULL,'*1','2026-01-01T01:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(3,1,0,'e3-f3','2026-01-01T02:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(3,2,1,'d1-c1','2026-01-01T02:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(3,3,0,'f3-g3','2026-01-01T02:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(3,4,1,'c1-d1','2026-01-01T02:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,1,NULL,'*3','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,2,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,3,NULL,'*2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,4,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,5,NULL,'*2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,6,2,'in','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,7,2,'c5+2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,8,NULL,'*2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,9,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,10,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,11,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,12,NULL,'*3','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,13,2,'in','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,14,2,'in','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,15,2,'in','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,16,2,'c5+3','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,17,NULL,'*2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,18,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,19,NULL,'*0','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,20,NULL,'*0','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,21,NULL,'*3','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,22,2,'c5+1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,23,2,'c5+3','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,24,2,'a5+8','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,25,2,'a4+8','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,26,NULL,'*2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,27,NULL,'*3','2026-01-01T03:00:00.000000+00:00',-1503202526362661670);
INSERT INTO "moves" VALUES(4,28,2,'b5+3','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,29,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,30,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,31,NULL,'*2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,32,0,'in','2026-01-01T03:00:00.000000+00:00',-7884152844932952867);
INSERT INTO "moves" VALUES(4,33,0,'in','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,34,0,'c1+2','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,35,NULL,'*0','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,36,NULL,'*1','2026-01-01T03:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(4,37,NULL,'*2','2026-01-01T03:00:00.000000+00:00',-4898999327393818458);
INSERT INTO "moves" VALUES(4,38,0,'in','2026-01-01T03:00:00.000000+00:00',-3931889894930413311);
INSERT INTO "moves" VALUES(5,1,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,2,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,3,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,4,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,5,NULL,'*1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,6,0,'k1-l2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,7,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,8,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,9,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,10,NULL,'*4','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,11,1,'h4-a3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,12,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,13,NULL,'*4','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,14,0,'c1-k1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,15,NULL,'*1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,16,0,'a1-c1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,17,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,18,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,19,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,20,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,21,NULL,'*4','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,22,0,'f1-k2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,23,NULL,'*0','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,24,0,'c1-j2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,25,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,26,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,27,NULL,'*1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,28,0,'d1-f1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,29,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,30,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,31,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,32,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,33,NULL,'*4','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,34,0,'h1-i2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,35,NULL,'*2','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,36,NULL,'*1','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,37,1,'j4-h4','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,38,NULL,'*3','2026-01-01T04:00:00.000000+00:00',NULL);
INSERT INTO "moves" VALUES(5,39,NULL,'*0','2026-01-01T04:00:00.000000+00:00',NULL);
CREATE TABLE notes (
	user_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_notes PRIMARY KEY (user_id, match_id), 
	CONSTRAINT fk_notes_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE offers (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	match_id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	takebacks INTEGER NOT NULL, 
	given_up INTEGER NOT NULL, 
	refused INTEGER NOT NULL, 
	agreed TEXT NOT NULL, 
	state TEXT NOT NULL, 
	answered_by INTEGER, 
	channel_id INTEGER, 
	message_id INTEGER, 
	CONSTRAINT uq_offers_match_id_kind_seat UNIQUE (match_id, kind, seat), 
	CONSTRAINT ck_offers_kind CHECK (kind IN ('draw', 'takeback')), 
	CONSTRAINT ck_offers_state CHECK (state IN ('open', 'agreed', 'declined', 'withdrawn', 'lapsed')), 
	CONSTRAINT fk_offers_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
CREATE TABLE outbox (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	match_id INTEGER, 
	kind TEXT NOT NULL, 
	payload TEXT NOT NULL, 
	nonce TEXT NOT NULL, 
	created_at TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	blocked TEXT, 
	done_at TEXT, 
	not_before TEXT, 
	CONSTRAINT uq_outbox_nonce UNIQUE (nonce), 
	CONSTRAINT ck_outbox_nonce CHECK (length(nonce) BETWEEN 1 AND 25), 
	CONSTRAINT fk_outbox_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
INSERT INTO "outbox" VALUES(1,1,'board','{"ply": 0, "after": null, "quietly": false, "undone": false}','m1p0','2026-01-01T00:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(2,1,'board','{"ply": 1, "after": 11, "quietly": false, "undone": false}','m1p1','2026-01-01T00:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(3,1,'board','{"ply": 2, "after": 22, "quietly": false, "undone": false}','m1p2','2026-01-01T00:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(4,1,'board','{"ply": 3, "after": 11, "quietly": false, "undone": false}','m1p3','2026-01-01T00:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(5,1,'board','{"ply": 4, "after": 22, "quietly": false, "undone": false}','m1p4','2026-01-01T00:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(6,2,'board','{"ply": 3, "after": null, "quietly": false, "undone": false}','m2p3','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(7,2,'board','{"ply": 7, "after": 11, "quietly": false, "undone": false}','m2p7','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(8,2,'board','{"ply": 10, "after": 11, "quietly": false, "undone": false}','m2p10','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(9,2,'board','{"ply": 12, "after": 22, "quietly": false, "undone": false}','m2p12','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(10,2,'board','{"ply": 14, "after": 22, "quietly": false, "undone": false}','m2p14','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(11,2,'board','{"ply": 16, "after": 22, "quietly": false, "undone": false}','m2p16','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(12,2,'board','{"ply": 19, "after": 22, "quietly": false, "undone": false}','m2p19','2026-01-01T01:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(13,3,'board','{"ply": 0, "after": null, "quietly": false, "undone": false}','m3p0','2026-01-01T02:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(14,3,'board','{"ply": 1, "after": 11, "quietly": false, "undone": false}','m3p1','2026-01-01T02:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(15,3,'board','{"ply": 2, "after": 22, "quietly": false, "undone": false}','m3p2','2026-01-01T02:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(16,3,'board','{"ply": 3, "after": 11, "quietly": false, "undone": false}','m3p3','2026-01-01T02:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(17,3,'board','{"ply": 4, "after": 22, "quietly": false, "undone": false}','m3p4','2026-01-01T02:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(18,4,'board','{"ply": 12, "after": null, "quietly": false, "undone": false}','m4p12','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(19,4,'board','{"ply": 13, "after": 22, "quietly": false, "undone": false}','m4p13','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(20,4,'board','{"ply": 14, "after": 22, "quietly": false, "undone": false}','m4p14','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(21,4,'board','{"ply": 15, "after": 22, "quietly": false, "undone": false}','m4p15','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(22,4,'board','{"ply": 21, "after": 22, "quietly": false, "undone": false}','m4p21','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(23,4,'board','{"ply": 22, "after": 22, "quietly": false, "undone": false}','m4p22','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(24,4,'board','{"ply": 23, "after": 22, "quietly": false, "undone": false}','m4p23','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(25,4,'board','{"ply": 27, "after": 22, "quietly": false, "undone": false}','m4p27','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(26,4,'board','{"ply": 32, "after": 22, "quietly": false, "undone": false}','m4p32','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(27,4,'board','{"ply": 37, "after": 11, "quietly": false, "undone": false}','m4p37','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(28,4,'board','{"ply": 38, "after": 11, "quietly": false, "undone": false}','m4p38','2026-01-01T03:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(29,5,'board','{"ply": 5, "after": null, "quietly": false, "undone": false}','m5p5','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(30,5,'board','{"ply": 10, "after": 11, "quietly": false, "undone": false}','m5p10','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(31,5,'board','{"ply": 13, "after": 22, "quietly": false, "undone": false}','m5p13','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(32,5,'board','{"ply": 15, "after": 11, "quietly": false, "undone": false}','m5p15','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(33,5,'board','{"ply": 21, "after": 11, "quietly": false, "undone": false}','m5p21','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(34,5,'board','{"ply": 23, "after": 11, "quietly": false, "undone": false}','m5p23','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(35,5,'board','{"ply": 27, "after": 11, "quietly": false, "undone": false}','m5p27','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(36,5,'board','{"ply": 33, "after": 11, "quietly": false, "undone": false}','m5p33','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(37,5,'board','{"ply": 36, "after": 11, "quietly": false, "undone": false}','m5p36','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(38,5,'board','{"ply": 39, "after": 22, "quietly": false, "undone": false}','m5p39','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(39,5,'board','{"ply": 39, "after": 22, "quietly": false, "undone": false}','m5end','2026-01-01T04:00:00.000000+00:00',0,NULL,NULL,NULL);
CREATE TABLE outdated_ratings (
	game TEXT NOT NULL, 
	since_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	CONSTRAINT pk_outdated_ratings PRIMARY KEY (game)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE people (
	user_id INTEGER NOT NULL, 
	settings TEXT NOT NULL, 
	changed_at TEXT NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (user_id)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "people" VALUES(22,'{"confirm": true}','2026-01-01T00:00:00.000000+00:00');
CREATE TABLE players (
	match_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	place INTEGER DEFAULT '0' NOT NULL, 
	word TEXT NOT NULL, 
	rank INTEGER, 
	gave_up INTEGER, 
	gave_up_ply INTEGER, 
	gave_up_how TEXT, 
	guild_id INTEGER, 
	result_id INTEGER, 
	moves INTEGER, 
	seconds INTEGER, 
	bank_left INTEGER, 
	CONSTRAINT pk_players PRIMARY KEY (match_id, seat), 
	CONSTRAINT uq_players_match_id_user_id UNIQUE (match_id, user_id), 
	CONSTRAINT fk_players_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "players" VALUES(1,0,11,0,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(1,1,22,1,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(2,0,11,0,'ann''s word',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(2,1,22,1,'ben''s press',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(3,0,11,0,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(3,1,22,1,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(4,0,11,0,'ann''s word',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(4,2,22,1,'ben''s press',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(5,0,11,0,'ann''s word',1,NULL,NULL,NULL,1,1,2,0,NULL);
INSERT INTO "players" VALUES(5,1,22,1,'ben''s word',2,NULL,NULL,NULL,1,1,2,0,NULL);
CREATE TABLE posts (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	kind TEXT NOT NULL, 
	subject INTEGER NOT NULL, 
	part INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	guild_id INTEGER, 
	payload TEXT NOT NULL, 
	channel_id INTEGER, 
	message_id INTEGER, 
	copies INTEGER NOT NULL, 
	wanted INTEGER NOT NULL, 
	done INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	try_at TEXT, 
	failures INTEGER NOT NULL, 
	CONSTRAINT uq_posts_kind_subject_part_user_id UNIQUE (kind, subject, part, user_id)
)
 STRICT

;
INSERT INTO "posts" VALUES(1,'challenge',1,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T00:00:00.000000+00:00','2026-01-01T00:00:10.000000+00:00',0);
INSERT INTO "posts" VALUES(2,'challenge',2,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T01:00:00.000000+00:00','2026-01-01T01:00:10.000000+00:00',0);
INSERT INTO "posts" VALUES(3,'challenge',3,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T02:00:00.000000+00:00','2026-01-01T02:00:10.000000+00:00',0);
INSERT INTO "posts" VALUES(4,'challenge',4,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T03:00:00.000000+00:00','2026-01-01T03:00:10.000000+00:00',0);
INSERT INTO "posts" VALUES(5,'challenge',5,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T04:00:00.000000+00:00','2026-01-01T04:00:10.000000+00:00',0);
INSERT INTO "posts" VALUES(6,'result',5,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T04:00:00.000000+00:00','2026-01-01T04:00:00.000000+00:00',0);
INSERT INTO "posts" VALUES(7,'thread name',5,0,0,1,'{}',NULL,NULL,0,1,0,'2026-01-01T04:00:00.000000+00:00','2026-01-01T04:00:00.000000+00:00',0);
CREATE TABLE processes (
	id TEXT NOT NULL, 
	role TEXT NOT NULL, 
	version TEXT NOT NULL, 
	started_at TEXT NOT NULL, 
	heartbeat_at TEXT NOT NULL, 
	draining INTEGER DEFAULT 0 NOT NULL, 
	replaces INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_processes PRIMARY KEY (id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE puzzle_schedules (
	guild_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	hour INTEGER NOT NULL, 
	next_at TEXT NOT NULL, 
	notified INTEGER NOT NULL, 
	CONSTRAINT pk_puzzle_schedules PRIMARY KEY (guild_id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE puzzles (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	position TEXT NOT NULL, 
	solution TEXT NOT NULL, 
	evaluation TEXT NOT NULL, 
	fingerprint INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	tried INTEGER DEFAULT '0' NOT NULL, 
	solved INTEGER DEFAULT '0' NOT NULL, 
	level INTEGER, 
	CONSTRAINT uq_puzzles_digest UNIQUE (digest)
)
 STRICT

;
CREATE TABLE rating_changes (
	user_id INTEGER NOT NULL, 
	scope INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	result_id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	rated INTEGER NOT NULL, 
	mu REAL NOT NULL, 
	sigma REAL NOT NULL, 
	games INTEGER NOT NULL, 
	skipped INTEGER NOT NULL, 
	share REAL NOT NULL, 
	CONSTRAINT pk_rating_changes PRIMARY KEY (user_id, scope, game, result_id), 
	CONSTRAINT fk_rating_changes_result_id FOREIGN KEY(result_id) REFERENCES results (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "rating_changes" VALUES(11,0,'tablan',1,'2026-01-01T04:00:00.000000+00:00',1,2.51647118433212817483e+01,8.2676014097148,1,0,0.0625);
INSERT INTO "rating_changes" VALUES(11,1,'tablan',1,'2026-01-01T04:00:00.000000+00:00',1,2.51647118433212817483e+01,8.2676014097148,1,0,0.0625);
INSERT INTO "rating_changes" VALUES(22,0,'tablan',1,'2026-01-01T04:00:00.000000+00:00',1,2.48352881566787182516e+01,8.2676014097148,1,0,0.0625);
INSERT INTO "rating_changes" VALUES(22,1,'tablan',1,'2026-01-01T04:00:00.000000+00:00',1,2.48352881566787182516e+01,8.2676014097148,1,0,0.0625);
CREATE TABLE rating_histogram (
	scope INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	day INTEGER NOT NULL, 
	bucket INTEGER NOT NULL, 
	players INTEGER NOT NULL, 
	CONSTRAINT pk_rating_histogram PRIMARY KEY (scope, game, day, bucket)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE ratings (
	user_id INTEGER NOT NULL, 
	scope INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	mu REAL NOT NULL, 
	sigma REAL NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	streak INTEGER NOT NULL, 
	best INTEGER NOT NULL, 
	form TEXT NOT NULL, 
	last_at TEXT NOT NULL, 
	opponents INTEGER NOT NULL, 
	established INTEGER NOT NULL, 
	CONSTRAINT pk_ratings PRIMARY KEY (user_id, scope, game)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "ratings" VALUES(11,0,'tablan',2.51647118433212817483e+01,8.2676014097148,1,1,0,0,1,1,'w','2026-01-01T04:00:00.000000+00:00',1,0);
INSERT INTO "ratings" VALUES(11,1,'tablan',2.51647118433212817483e+01,8.2676014097148,1,1,0,0,1,1,'w','2026-01-01T04:00:00.000000+00:00',1,0);
INSERT INTO "ratings" VALUES(22,0,'tablan',2.48352881566787182516e+01,8.2676014097148,1,0,0,1,-1,0,'l','2026-01-01T04:00:00.000000+00:00',1,0);
INSERT INTO "ratings" VALUES(22,1,'tablan',2.48352881566787182516e+01,8.2676014097148,1,0,0,1,-1,0,'l','2026-01-01T04:00:00.000000+00:00',1,0);
CREATE TABLE results (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	match_id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	guild_id INTEGER, 
	at TEXT NOT NULL, 
	rated INTEGER NOT NULL, 
	CONSTRAINT uq_results_match_id UNIQUE (match_id), 
	CONSTRAINT fk_results_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
INSERT INTO "results" VALUES(1,5,'tablan',1,'2026-01-01T04:00:00.000000+00:00',1);
CREATE TABLE rivals (
	user_id INTEGER NOT NULL, 
	scope INTEGER NOT NULL, 
	rival_id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	games INTEGER NOT NULL, 
	rated INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	CONSTRAINT pk_rivals PRIMARY KEY (user_id, scope, rival_id, game)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "rivals" VALUES(11,0,22,'tablan',1,1,1,0);
INSERT INTO "rivals" VALUES(11,1,22,'tablan',1,1,1,0);
INSERT INTO "rivals" VALUES(22,0,11,'tablan',1,1,0,0);
INSERT INTO "rivals" VALUES(22,1,11,'tablan',1,1,0,0);
CREATE TABLE scores (
	user_id INTEGER NOT NULL, 
	scope INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	moves INTEGER NOT NULL, 
	seconds INTEGER NOT NULL, 
	CONSTRAINT pk_scores PRIMARY KEY (user_id, scope, game, seat)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "scores" VALUES(11,0,'tablan',0,1,0,0,2,0);
INSERT INTO "scores" VALUES(11,1,'tablan',0,1,0,0,2,0);
INSERT INTO "scores" VALUES(22,0,'tablan',1,0,0,1,2,0);
INSERT INTO "scores" VALUES(22,1,'tablan',1,0,0,1,2,0);
CREATE TABLE season_ratings (
	user_id INTEGER NOT NULL, 
	scope INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	season INTEGER NOT NULL, 
	mu REAL NOT NULL, 
	sigma REAL NOT NULL, 
	points INTEGER NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	form TEXT NOT NULL, 
	opponents INTEGER NOT NULL, 
	ranked INTEGER NOT NULL, 
	CONSTRAINT pk_season_ratings PRIMARY KEY (user_id, scope, game, season)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "season_ratings" VALUES(11,1,'tablan',8104,2.51647118433212817483e+01,8.2676014097148,1507,1,1,0,0,'w',1,0);
INSERT INTO "season_ratings" VALUES(22,1,'tablan',8104,2.48352881566787182516e+01,8.2676014097148,1493,1,0,0,1,'l',1,0);
CREATE TABLE server_outages (
	guild_id INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	grace_until TEXT, 
	CONSTRAINT pk_server_outages PRIMARY KEY (guild_id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE servers (
	guild_id INTEGER NOT NULL, 
	settings TEXT NOT NULL, 
	changed_at TEXT NOT NULL, 
	changed_by INTEGER NOT NULL, 
	CONSTRAINT pk_servers PRIMARY KEY (guild_id)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO "servers" VALUES(1,'{"threads": false, "days": 5}','2026-01-01T00:00:00.000000+00:00',33);
CREATE TABLE shards (
	number INTEGER NOT NULL, 
	epoch INTEGER DEFAULT '0' NOT NULL, 
	owner TEXT, 
	wanted_by TEXT, 
	connected INTEGER DEFAULT 0 NOT NULL, 
	handled TEXT, 
	CONSTRAINT pk_shards PRIMARY KEY (number)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE side_ratings (
	scope INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	mu REAL NOT NULL, 
	sigma REAL NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	CONSTRAINT pk_side_ratings PRIMARY KEY (scope, game, seat)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE spent_limits (
	user_id INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	game TEXT NOT NULL, 
	opponent_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	ends_at TEXT NOT NULL, 
	CONSTRAINT pk_spent_limits PRIMARY KEY (user_id, action, game, opponent_id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournament_entrants (
	tournament_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	strength REAL NOT NULL, 
	joined_at TEXT NOT NULL, 
	joined_round INTEGER NOT NULL, 
	left_after INTEGER, 
	leave_reason TEXT, 
	replaces_user_id INTEGER, 
	place INTEGER, 
	word TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_tournament_entrants PRIMARY KEY (tournament_id, user_id), 
	CONSTRAINT ck_tournament_entrants_leave_reason CHECK (leave_reason IN ('left', 'absent', 'gone', 'removed')), 
	CONSTRAINT uq_tournament_entrants_tournament_id_number UNIQUE (tournament_id, number), 
	CONSTRAINT fk_tournament_entrants_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournament_games (
	tournament_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	table_no INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	seats TEXT NOT NULL, 
	match_id INTEGER, 
	points TEXT, 
	how TEXT NOT NULL, 
	CONSTRAINT pk_tournament_games PRIMARY KEY (tournament_id, round, table_no, number), 
	CONSTRAINT fk_tournament_games_tournament_id FOREIGN KEY(tournament_id, round, table_no) REFERENCES tournament_pairings (tournament_id, round, table_no) ON DELETE CASCADE, 
	CONSTRAINT uq_tournament_games_match_id UNIQUE (match_id), 
	CONSTRAINT ck_tournament_games_how CHECK (how IN ('played', 'adjudicated', 'forfeit', 'void')), 
	CONSTRAINT fk_tournament_games_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournament_imports (
	tournament_id INTEGER NOT NULL, 
	pairings BLOB NOT NULL, 
	CONSTRAINT pk_tournament_imports PRIMARY KEY (tournament_id), 
	CONSTRAINT fk_tournament_imports_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournament_paired (
	tournament_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	table_no INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	CONSTRAINT pk_tournament_paired PRIMARY KEY (tournament_id, round, table_no, place), 
	CONSTRAINT fk_tournament_paired_tournament_id FOREIGN KEY(tournament_id, round, table_no) REFERENCES tournament_pairings (tournament_id, round, table_no) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournament_pairings (
	tournament_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	table_no INTEGER NOT NULL, 
	stage TEXT NOT NULL, 
	CONSTRAINT pk_tournament_pairings PRIMARY KEY (tournament_id, round, table_no), 
	CONSTRAINT fk_tournament_pairings_tournament_id FOREIGN KEY(tournament_id, round) REFERENCES tournament_rounds (tournament_id, round) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournament_rounds (
	tournament_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	begun_at TEXT NOT NULL, 
	ends_at TEXT, 
	warn_at TEXT, 
	ended_at TEXT, 
	forced INTEGER DEFAULT 0 NOT NULL, 
	judged_until TEXT, 
	CONSTRAINT pk_tournament_rounds PRIMARY KEY (tournament_id, round), 
	CONSTRAINT fk_tournament_rounds_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id) ON DELETE CASCADE
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE tournaments (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	thread_id INTEGER, 
	message_id INTEGER, 
	name TEXT NOT NULL, 
	game TEXT NOT NULL, 
	"plan" TEXT NOT NULL, 
	state TEXT NOT NULL, 
	created_by INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	created_at TEXT NOT NULL, 
	ended_at TEXT, 
	days INTEGER NOT NULL, 
	round_days INTEGER, 
	verdict TEXT NOT NULL, 
	casual INTEGER NOT NULL, 
	max_players INTEGER NOT NULL, 
	min_rating INTEGER, 
	max_rating INTEGER, 
	established INTEGER NOT NULL, 
	role_id INTEGER, 
	starts_at TEXT, 
	monthly_day INTEGER, 
	options TEXT NOT NULL, 
	imported INTEGER DEFAULT 0 NOT NULL, 
	bank INTEGER, 
	round INTEGER DEFAULT '0' NOT NULL, 
	next_at TEXT, 
	version INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT ck_tournaments_state CHECK (state IN ('sign-up', 'running', 'adjourned', 'finished', 'cancelled')), 
	CONSTRAINT ck_tournaments_verdict CHECK (verdict IN ('draw', 'manager', 'computer'))
)
 STRICT

;
CREATE TABLE turn_calls (
	message_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	CONSTRAINT pk_turn_calls PRIMARY KEY (message_id), 
	CONSTRAINT fk_turn_calls_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 STRICT

;
CREATE TABLE vacations (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	user_id INTEGER NOT NULL, 
	starts_at TEXT NOT NULL, 
	ends_at TEXT NOT NULL, 
	over INTEGER NOT NULL
)
 STRICT

;
CREATE INDEX ix_aborts_at ON aborts (at);
CREATE INDEX ix_aborts_match_id ON aborts (match_id);
CREATE INDEX ix_attempts_puzzle_id ON attempts (puzzle_id);
CREATE INDEX ix_audit_guild_id ON audit (guild_id, id);
CREATE INDEX ix_boards_match_id ON boards (match_id, ply);
CREATE INDEX ix_challenges_challenger_id ON challenges (challenger_id);
CREATE INDEX ix_challenges_match_id ON challenges (match_id);
CREATE INDEX ix_challenges_state_channel_id ON challenges (state, channel_id);
CREATE INDEX ix_challenges_state_expires_at ON challenges (state, expires_at);
CREATE INDEX ix_challenges_state_guild_id ON challenges (state, guild_id);
CREATE INDEX ix_clocks_next_at ON clocks (next_at);
CREATE INDEX ix_clocks_user_id ON clocks (user_id);
CREATE INDEX ix_computer_tasks_guild_id ON computer_tasks (guild_id, urgent, user_id);
CREATE INDEX ix_computer_tasks_match_id ON computer_tasks (match_id);
CREATE INDEX ix_computer_tasks_turn ON computer_tasks (urgent, turn);
CREATE INDEX ix_daily_answers_user_id ON daily_answers (user_id);
CREATE INDEX ix_daily_puzzles_puzzle_id ON daily_puzzles (puzzle_id, closed_at);
CREATE INDEX ix_feats_result_id ON feats (result_id);
CREATE INDEX ix_followed_matches_match_id ON followed_matches (match_id);
CREATE INDEX ix_followed_players_player_id ON followed_players (player_id, guild_id);
CREATE INDEX ix_hourly_uses_since ON hourly_uses (since);
CREATE INDEX ix_imports_user_id ON imports (user_id);
CREATE INDEX ix_ladder_challenges_challenged_id ON ladder_challenges (challenged_id);
CREATE INDEX ix_ladder_challenges_challenger_id ON ladder_challenges (challenger_id);
CREATE INDEX ix_ladder_challenges_due_at ON ladder_challenges (due_at);
CREATE INDEX ix_ladder_challenges_ladder_id ON ladder_challenges (ladder_id, ended_at);
CREATE INDEX ix_ladder_challenges_match_id ON ladder_challenges (match_id);
CREATE INDEX ix_ladder_events_ladder_id ON ladder_events (ladder_id, id);
CREATE INDEX ix_ladder_events_other_id ON ladder_events (other_id);
CREATE INDEX ix_ladder_events_user_id ON ladder_events (user_id);
CREATE INDEX ix_ladder_places_user_id ON ladder_places (user_id);
CREATE INDEX ix_ladders_guild_id ON ladders (guild_id);
CREATE INDEX ix_ladders_next_check_at ON ladders (next_check_at);
CREATE INDEX ix_matches_channel_id ON matches (channel_id);
CREATE INDEX ix_matches_guild_id_finished_at ON matches (guild_id, finished_at);
CREATE INDEX ix_moves_fingerprint ON moves (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX ix_notes_match_id ON notes (match_id);
CREATE INDEX ix_outbox_done_at ON outbox (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX ix_outbox_not_before ON outbox (not_before) WHERE done_at IS NULL AND not_before IS NOT NULL;
CREATE INDEX ix_outbox_pending ON outbox (match_id, id) WHERE done_at IS NULL;
CREATE INDEX ix_players_guild_id ON players (user_id, guild_id, result_id);
CREATE INDEX ix_players_result_id ON players (user_id, result_id);
CREATE INDEX ix_players_user_id ON players (user_id, match_id);
CREATE INDEX ix_posts_try_at ON posts (try_at) WHERE try_at IS NOT NULL;
CREATE INDEX ix_posts_user_id ON posts (user_id);
CREATE INDEX ix_puzzle_schedules_next_at ON puzzle_schedules (next_at);
CREATE INDEX ix_puzzles_fingerprint ON puzzles (fingerprint);
CREATE INDEX ix_puzzles_game ON puzzles (game, id);
CREATE INDEX ix_rating_changes_result_id ON rating_changes (result_id);
CREATE INDEX ix_ratings_games ON ratings (scope, game, established, games, mu, user_id);
CREATE INDEX ix_ratings_last_at ON ratings (scope, game, established, last_at, user_id);
CREATE INDEX ix_ratings_mu ON ratings (scope, game, established, mu, games, user_id, last_at);
CREATE INDEX ix_results_game ON results (game, id);
CREATE INDEX ix_rivals_games ON rivals (user_id, scope, games);
CREATE INDEX ix_season_ratings_points ON season_ratings (scope, game, season, ranked, points, games, user_id);
CREATE INDEX ix_shards_owner ON shards (owner);
CREATE INDEX ix_spent_limits_ends_at ON spent_limits (ends_at);
CREATE INDEX ix_tournament_entrants_user_id ON tournament_entrants (user_id);
CREATE INDEX ix_tournament_games_open ON tournament_games (match_id) WHERE points IS NULL;
CREATE INDEX ix_tournament_paired_user_id ON tournament_paired (user_id);
CREATE INDEX ix_tournaments_guild_id ON tournaments (guild_id, state);
CREATE INDEX ix_tournaments_imported ON tournaments (guild_id) WHERE imported = 1;
CREATE INDEX ix_tournaments_next_at ON tournaments (next_at);
CREATE INDEX ix_turn_calls_match_id ON turn_calls (match_id);
CREATE INDEX ix_vacations_over_ends_at ON vacations (over, ends_at);
CREATE INDEX ix_vacations_user_id ON vacations (user_id, ends_at);
CREATE UNIQUE INDEX ux_ladder_challenges_in ON ladder_challenges (ladder_id, challenged_id) WHERE ended_at IS NULL AND called_at IS NOT NULL;
CREATE UNIQUE INDEX ux_ladder_challenges_out ON ladder_challenges (ladder_id, challenger_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX ux_ladders_open ON ladders (guild_id, game) WHERE closed_at IS NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('challenges',6);
INSERT INTO "sqlite_sequence" VALUES('matches',5);
INSERT INTO "sqlite_sequence" VALUES('outbox',39);
INSERT INTO "sqlite_sequence" VALUES('posts',7);
INSERT INTO "sqlite_sequence" VALUES('results',1);
INSERT INTO "sqlite_sequence" VALUES('computer_tasks',1);
COMMIT;
