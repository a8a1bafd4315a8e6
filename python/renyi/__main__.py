"""The command ``renyi``, run by C++ in this process: ``python -m renyi`` and the script that pip installs."""

import os
import signal
import sys

from . import _native


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    # The command expects the signals as a program finds them. Python's own handler of control-C would only note the
    # signal until the command is done; one that was ignored when the process started stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Python ignores the signal for files over the size limit.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    return _native.run_command([b"renyi", *map(os.fsencode, sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
