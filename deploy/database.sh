#!/bin/sh
# Runs once in the container of PostgreSQL, before it first accepts connections. The bot's role owns its
# database and nothing else: it is no superuser, so it reads no files and runs no programs there.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=password="$(cat "$GAMES_PASSWORD_FILE")" <<'SQL'
CREATE ROLE games LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE games OWNER games;
REVOKE ALL ON DATABASE games FROM PUBLIC;
REVOKE CONNECT ON DATABASE postgres FROM PUBLIC;
SQL
