"""Tablaaza: every rule, every ruling, and the facts that follow from them."""
