"""Tablan, a running fight game from Mysore, by the leaflet of Walker or that of Bell."""
