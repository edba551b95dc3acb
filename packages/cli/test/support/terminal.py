"""Runs a program in a pseudo-terminal, and types each answer when its question is on the screen.

Reads JSON from stdin: {"argv", "cwd", "env", "steps": [[text on the screen, keys], ...], "seconds"}.
Writes JSON: {"screen": what was printed, without control sequences, "code", "missing": a text that did not appear}.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def main():
    call = json.load(sys.stdin)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(call["cwd"])
        os.execvpe(call["argv"][0], call["argv"], {**os.environ, **call["env"]})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
    end = time.monotonic() + call["seconds"]
    raw = b""
    seen = 0
    missing = None
    for text, keys in call["steps"]:
        found = -1
        while found < 0:
            found = screen(raw).find(text, seen)
            if found < 0:
                more = read(terminal, end)
                if more == b"":
                    break
                raw += more
        if found < 0:
            missing = text
            break
        seen = found + len(text)
        os.write(terminal, keys.encode())
    while missing is None:
        more = read(terminal, end)
        if more == b"":
            break
        raw += more
    json.dump({"screen": screen(raw), "code": ended(child, end), "missing": missing}, sys.stdout)


def screen(raw):
    return CONTROL.sub("", raw.decode("utf-8", "replace"))


def read(terminal, end):
    """Empty at the end of the program, or of the time."""
    ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
    if not ready:
        return b""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def ended(child, end):
    """The exit code as a shell shows it. A program that has not ended in time is killed."""
    if time.monotonic() >= end:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return 128 - code if code < 0 else code


main()
