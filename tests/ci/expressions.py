"""GitHub's expressions, as far as action.yml and the workflows of the guide use them."""
import re

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][\w-]*)|"
                   r"(?P<sign>\|\||&&|==|!=|[!().,*]))")
STATUS = {"always", "success", "failure", "cancelled"}


class Expression:
    def __init__(self, source, contexts, functions):
        self.contexts, self.functions = contexts, functions
        self.tokens, at, source = [], 0, source.strip()
        while at < len(source):
            match = TOKEN.match(source, at)
            if not match:
                raise ValueError(f"not an expression: {source!r} at {source[at:]!r}")
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()
        self.tokens.append(("end", ""))

    def next_is(self, *signs):
        return self.tokens[0][0] == "sign" and self.tokens[0][1] in signs

    def take(self):
        return self.tokens.pop(0)[1]

    def value(self):
        result = self.either()
        if self.tokens[0][0] != "end":
            raise ValueError(f"what is {self.tokens} after an expression?")
        return result

    def either(self):
        left = self.both()
        while self.next_is("||"):
            self.take()
            right = self.both()
            left = left if left else right
        return left

    def both(self):
        left = self.equal()
        while self.next_is("&&"):
            self.take()
            right = self.equal()
            left = right if left else left
        return left

    def equal(self):
        left = self.unary()
        while self.next_is("==", "!="):
            is_equal = self.take() == "=="
            left = (same(left, self.unary())) == is_equal
        return left

    def unary(self):
        if self.next_is("!"):
            self.take()
            return not self.unary()
        if self.next_is("("):
            self.take()
            inner = self.either()
            assert self.take() == ")"
            return inner
        kind, word = self.tokens.pop(0)
        if kind == "text":
            return word[1:-1].replace("''", "'")
        if kind == "number":
            return float(word)
        assert kind == "name", word
        if word in ("true", "false"):
            return word == "true"
        return self.call(word) if self.next_is("(") else self.member(word)

    def call(self, name):
        self.take()
        arguments = []
        while not self.next_is(")"):
            arguments.append(self.either())
            if self.next_is(","):
                self.take()
        self.take()
        return self.functions[name](*arguments)

    def member(self, name):
        value = self.contexts[name]  # an unknown context is an error on GitHub, too
        while self.next_is("."):
            self.take()
            key = self.take()
            value = value.get(key, "") if isinstance(value, dict) else ""
        return value


def same(left, right):
    if isinstance(left, str) and isinstance(right, str):
        return left.lower() == right.lower()
    return left == right


def show(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return "" if value is None else str(value)


def fill(text, contexts, functions):
    """A string with every ${{ }} in it replaced."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda m: show(Expression(m.group(1), contexts, functions).value()), text)


def holds(condition, contexts, functions):
    """An `if`: success() && before it, unless it asks for the status itself."""
    source = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", show(condition).strip())
    asks = any(re.search(rf"\b{name}\s*\(", source) for name in STATUS)
    return bool(Expression(source, contexts, functions).value()) and (asks or functions["success"]())
