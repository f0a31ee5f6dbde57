"""Whose fault a sanitizer's report shows: ours, or that of a library that a hostile file brought down in the import's child."""
import re

FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?:in )?(.*)$")
# Frames that are never to blame: runtimes, libc, and what merely notices.
RUNTIME = re.compile(r"__asan|__interceptor|__sanitizer|__ubsan|compiler-rt|/libc\.so|/libc-start|sysdeps|/nptl/|/ld-linux|"
                     r"libstdc\+\+|fuzzer::|\bmalloc\b|\bcalloc\b|\brealloc\b|operator new|\bfree\b|\babort\b|\braise\b|^\(<unknown")


def is_ours(report):
    """True when the first frame that is to blame lies in src/ or tests/ of this project."""
    for line in report.splitlines():
        if "runtime error:" in line and "/src/" in line:
            return True
        frame = FRAME.match(line)
        if frame and not RUNTIME.search(frame.group(1)):
            return bool(re.search(r"/(src|tests)/\w+/\w+\.[ch]:\d+", frame.group(1)))
    return False


def summary(report):
    found = re.search(r"(?:runtime error|SUMMARY|ERROR): .*", report)
    return found.group(0) if found else report.strip()[:200]
