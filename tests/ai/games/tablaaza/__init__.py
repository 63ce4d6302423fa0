"""The fast board of Tablaaza."""
