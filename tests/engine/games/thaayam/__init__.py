"""Thaayam: its rules, its rulings, its picture."""
