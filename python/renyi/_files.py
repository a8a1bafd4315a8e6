"""Files that several programs change in turn: locked, compared, and replaced at once, so that no charge is lost."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import stat
import threading
from typing import Callable, Iterator, Union

from .errors import InvalidArgument

Path = Union[str, "os.PathLike[str]"]

_PRIVATE_MODE = 0o600
_USUAL_MODE = 0o666  # reduced by the user's umask


class StoredState:
    """What one object has read from files and written to them. A file is replaced only if it holds what this object
    last read or wrote there: anything else was charged by another program, or by a copy.

    The lock is that of ``renyi filter charge`` (docs/format/filter.md): flock on the file, from reading it to renaming
    the new one.
    """

    def __init__(self, what: str, load: str, *, private: bool = False) -> None:
        """``what`` the files are and the function to ``load`` them are named in errors. Only their owner may read
        ``private`` ones."""
        self._what, self._load, self._private = what, load, private
        self._known: dict[str, bytes] = {}
        self._one_at_a_time = threading.Lock()

    def read(self, path: Path) -> str:
        """Reads a file of UTF-8 text, and remembers what it holds."""
        with open(path, "rb") as file:
            content = file.read()
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidArgument("path", repr(os.fspath(path)), f"{self._what}, in UTF-8") from None
        self._known[_place(path)] = _digest(content)
        return text

    def write(self, path: Path, make_text: Callable[[], str], *, overwrite: bool) -> None:
        """Writes a file, completely or not at all, and returns when it is on the disk. Raises ``InvalidArgument`` if
        there is one that holds anything that this object has not read or written, unless told to ``overwrite``.

        The text is made under the lock, so that of two threads the later one writes the later state."""
        name = os.fsdecode(path)
        with self._one_at_a_time:
            content = make_text().encode("utf-8")
            while not (self._replaced(name, content, overwrite) or self._created(name, content)):
                pass  # the file was removed, replaced or created in between
            with _about(name, "it was written, but its folder could not be brought to the disk"):
                _settle_folder(name)

    def _replaced(self, name: str, content: bytes, overwrite: bool) -> bool:
        """Replaces a file that exists. Returns false if there is none, or no longer the one that was opened."""
        with contextlib.ExitStack() as at_the_end:
            try:
                # Opening a pipe would wait for its other end, and a link that is replaced leaves its target behind.
                file = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            except FileNotFoundError:
                return False
            except OSError as error:
                if error.errno == errno.ELOOP:
                    raise InvalidArgument("path", f"{name!r}, a symbolic link", "the file, not a link to it") from None
                raise
            at_the_end.callback(os.close, file)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise InvalidArgument("path", repr(name), "a regular file")
            with _about(name, "it cannot be locked"):
                fcntl.flock(file, fcntl.LOCK_EX)
            if not _is_still(file, name):
                return False
            if not overwrite:
                self._check_known(name, file)
            mode = _PRIVATE_MODE if self._private else stat.S_IMODE(os.fstat(file).st_mode)
            with _about(name, _in_folder(name)), _new_file(name, content, mode, exactly=True) as beside:
                os.replace(beside, name)
            self._known[_place(name)] = _digest(content)
            return True

    def _created(self, name: str, content: bytes) -> bool:
        """Creates a file. Returns false if there is one by now."""
        mode = _PRIVATE_MODE if self._private else _USUAL_MODE
        with _about(name, _in_folder(name)), _new_file(name, content, mode, exactly=self._private) as beside:
            try:
                os.link(beside, name)  # renaming would replace a file of that name
            except FileExistsError:
                return False
            self._known[_place(name)] = _digest(content)
        return True

    def _check_known(self, name: str, file: int) -> None:
        known = self._known.get(_place(name))
        if known is None:
            raise InvalidArgument(
                "path",
                f"{name!r}, which exists and was not loaded or saved by this object",
                f"the name of a new file; {self._load} to go on with what is there; or overwrite=True to forget what "
                "was charged there",
            )
        if _digest(_content(file)) != known:
            raise InvalidArgument(
                "path",
                f"{name!r}, which was changed after this object loaded or saved it",
                f"a file without the charges of others: {self._load} it again, and charge there what is not saved yet; "
                "or overwrite=True to forget what was charged there",
            )


@contextlib.contextmanager
def _new_file(name: str, content: bytes, mode: int, *, exactly: bool) -> Iterator[str]:
    """Writes a file beside another one and brings it to the disk. It is removed at the end unless it was renamed. Its
    name is random: nobody can prepare a link there, and no other program uses it."""
    folder, last = os.path.split(name)
    beside = os.path.join(folder, f".{last}.{secrets.token_hex(8)}.new")
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        with open(file, "wb") as stream:
            if exactly:
                os.fchmod(file, mode)
            stream.write(content)
            stream.flush()
            os.fsync(file)
        yield beside
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


@contextlib.contextmanager
def _about(name: str, failed: str) -> Iterator[None]:
    """Errors name the file that is to be written, not the one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror}; {failed}", name) from None


def _in_folder(name: str) -> str:
    return f"no file can be written in the folder {os.path.dirname(name) or os.curdir!r}"


def _settle_folder(name: str) -> None:
    """A name is on the disk when its folder is."""
    folder = os.open(os.path.dirname(name) or os.curdir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system without it
            raise
    finally:
        os.close(folder)


def _is_still(file: int, name: str) -> bool:
    """Returns false if another program has removed or replaced the file that was opened here."""
    try:
        return os.path.samestat(os.fstat(file), os.lstat(name))
    except FileNotFoundError:
        return False


def _content(file: int) -> bytes:
    with open(os.dup(file), "rb") as stream:
        return stream.read()


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content).digest()


def _place(path: Path) -> str:
    """Returns the same name for all names of a file, except for links to it, which are not replaced."""
    folder, last = os.path.split(os.fsdecode(path))
    return os.path.join(os.path.realpath(folder or os.curdir), last)
