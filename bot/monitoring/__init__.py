"""What a running process tells its operators: whether it lives, whether it is ready, and figures."""
