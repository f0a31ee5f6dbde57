"""docs/engines.md."""


def markdown(tables):
    return "", 0
