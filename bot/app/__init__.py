"""What a process is: command line, roles, doctor, backups, monitoring, the demo."""


class CannotWork(Exception):
    """Ends the process, with a reason that says what to do."""

    def __init__(self, reason: str, *, restart_helps: bool = True) -> None:
        """Keep the reason, and whether a retry with the same program and settings could succeed."""
        super().__init__(reason)
        self.restart_helps = restart_helps
