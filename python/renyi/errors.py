"""What can go wrong. Every error is a ``ValueError`` that names the field it is about."""

from __future__ import annotations


class Error(ValueError):
    """Base of the errors below. ``field`` is what it is about: an argument, or a path such as ``steps[2].count``."""

    field: str = ""

    def _about(self, field: str) -> Error:
        """This error, with the caller's word for the field."""
        self.field, self.args = field, (field, *self.args[1:])
        return self

    def __str__(self) -> str:
        return self._message()

    def _message(self) -> str:
        return super().__str__()


class InvalidArgument(Error):
    """Bad input: the field, the value it had and what is allowed."""

    def __init__(self, field: str, value: str, allowed: str) -> None:
        super().__init__(field, value, allowed)
        self.field, self.value, self.allowed = field, value, allowed

    def _message(self) -> str:
        return f"{self.field}: got {self.value}, allowed: {self.allowed}"


class Unsupported(Error):
    """Good input without a proven answer: why, and what would do instead."""

    def __init__(self, field: str, why: str, instead: str) -> None:
        super().__init__(field, why, instead)
        self.field, self.why, self.instead = field, why, instead

    def _message(self) -> str:
        return f"{self.field}{': ' if self.field else ''}{self.why}; {self.instead}"


class NotConverged(Error):
    """A numerical method that did not reach its accuracy: where."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field, self.message = field, message

    def _message(self) -> str:
        return self.message
