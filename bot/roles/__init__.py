"""What a process can be: everything at once, a gateway, or a worker."""


class CannotWork(Exception):
    """The process ends, for a reason that says what to do."""
