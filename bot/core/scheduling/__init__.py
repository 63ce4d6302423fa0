"""What runs by the clock, and the outages in which clocks stand still."""
