"""The values of formulas as they are written in LaTeX, a subset of it, over a table of counts."""

import re

import numpy as np

_TOKEN = re.compile(r"\s*(@\d+|\\[A-Za-z]+|\\[,;]|\d+|[A-Za-z]|.)")
_AXES = {"i": 0, "j": 1}


def value_of_latex(formula, values, matched=None):
    """Return the value of a formula; ``values`` has the symbols, arrays over (i, j) or numbers.

    ``matched`` takes an array over the cells and returns the largest sum of a one-to-one matching.
    An operator such as a sum extends over the product that follows it.
    """
    formula = formula.replace(r"\max_{\sigma} \sum_{ij \in \sigma}", r"\matched")
    numbers = []
    for symbol in sorted(values, key=len, reverse=True):
        if symbol in formula:
            # A letter is no part of a command or of another symbol.
            pattern = rf"(?<![\\A-Za-z_]){re.escape(symbol)}(?![A-Za-z_])"
            formula = re.sub(pattern, f" @{len(numbers)} ", formula)
            numbers.append(values[symbol])
    with np.errstate(divide="ignore", invalid="ignore"):
        parser = _Parser(_TOKEN.findall(formula), numbers, matched)
        result = parser.sum()
    assert not parser.tokens, f"not read: {parser.tokens} of {formula}"
    return float(np.squeeze(result))


class _Parser:
    def __init__(self, tokens, numbers, matched):
        self.tokens = [token for token in tokens if token.strip()]
        self.numbers, self.matched = numbers, matched

    def next(self):
        return self.tokens[0] if self.tokens else "end"

    def take(self, expected=None):
        token = self.tokens.pop(0)
        assert expected in (None, token), (expected, token, self.tokens)
        return token

    def sum(self):
        total = self.product()
        while self.next() in "+-":
            sign = 1 if self.take() == "+" else -1
            total = total + sign * self.product()
        return total

    def product(self):
        if self.next() == "-":
            self.take()
            return -self.product()
        result = self.power()
        while self.next() not in ("+", "-", ")", "}", ",", "end"):
            if self.next() == "/":
                self.take()
                result = result / self.power()
            else:
                result = result * self.power()
        return result

    def power(self):
        base = self.factor()
        if self.next() == "^":
            self.take()
            base = base ** self.factor()
        return base

    def group(self, opening="{", closing="}"):
        self.take(opening)
        result = self.sum()
        self.take(closing)
        return result

    def axes(self):
        self.take("_")
        if self.next() != "{":
            return (_AXES[self.take()],)
        self.take("{")
        found = []
        while self.next() != "}":
            found.append(_AXES[self.take()])
        self.take("}")
        return tuple(found)

    def factor(self):
        token = self.take()
        if token.startswith("@"):
            return self.numbers[int(token[1:])]
        if token.isdigit():
            return int(token)
        if token in "({":
            self.tokens.insert(0, token)
            return self.group(token, ")" if token == "(" else "}")
        return getattr(self, f"_{token[1:]}")()

    def _frac(self):
        return self.group() / self.group()

    def _sqrt(self):
        return np.sqrt(self.group())

    def _log(self):
        return np.log(self.power())

    def _arccos(self):
        return np.arccos(self.power())

    def _pi(self):
        return np.pi

    def _matched(self):
        return self.matched(self.product())

    def _sum(self):
        axes = self.axes()
        # 0 log 0 and cells that no cluster has are 0.
        return np.nansum(self.product(), axis=axes, keepdims=True)

    def _max(self):
        return self._extreme(np.max, np.maximum)

    def _min(self):
        return self._extreme(np.min, np.minimum)

    def _extreme(self, over, of_two):
        if self.next() == "_":
            axes = self.axes()
            return over(self.product(), axis=axes, keepdims=True)
        self.take("(")
        first = self.sum()
        self.take(",")
        second = self.sum()
        self.take(")")
        return of_two(first, second)
