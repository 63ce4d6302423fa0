"""Tablaaza: every rule of the document, every ruling, and the facts that follow from them."""
