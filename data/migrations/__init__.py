"""The history of the tables, run by Alembic whenever the store is opened."""
