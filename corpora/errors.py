"""Errors a user can mend: they end the command with one line and exit status 2.

Failures of a *program under study* are never raised; they are values (`Outcome.status`, `Unchanged`, `BadRow`).
"""


class InputError(Exception):
    """Wrong usage or unreadable input.

    The text is one line that says where (file and line, if known) and what to do:

    >>> str(InputError("no such file", where="cases.jsonl"))
    'cases.jsonl: no such file'
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        self.message = message
        self.where = where
        super().__init__(f"{where}: {message}" if where else message)
