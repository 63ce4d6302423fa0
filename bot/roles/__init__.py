"""What a process can be: everything at once, a gateway, or a worker."""


class CannotWork(Exception):
    """The process ends, for a reason that says what to do."""

    def __init__(self, why: str, *, restart_helps: bool = True) -> None:
        """Say why, and whether another attempt of the same program and settings could succeed."""
        super().__init__(why)
        self.restart_helps = restart_helps
