"""Tests of the fast board of Tablaaza."""
