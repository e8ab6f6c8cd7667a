"""A reader of the BV format, bit by bit, as the format is described."""

from __future__ import annotations


class Bits:
    """A stream read as the codes are defined."""

    def __init__(self, content):
        self.bits = "".join(f"{byte:08b}" for byte in content)
        self.place = 0

    def take(self, n):
        self.place += n
        return int(self.bits[self.place - n : self.place] or "0", 2)

    def unary(self):
        zeros = self.bits.index("1", self.place) - self.place
        self.place += zeros + 1
        return zeros

    def gamma(self):
        size = self.unary()
        return (1 << size) + self.take(size) - 1

    def zeta(self, k):
        h = self.unary()
        left, n_bits = 1 << h * k, h * k + k - 1
        value = self.take(n_bits)
        return (value + left if value < left else 2 * value + self.take(1)) - 1


def signed(value):
    return value // 2 if value % 2 == 0 else -(value + 1) // 2


def read_slowly(content, n, options):
    """All lists, and of each node the numbers as they stand in the file."""
    bits, lists, told = Bits(content), [], []
    for x in range(n):
        numbers = {"degree": bits.gamma()}
        copied, intervals, residuals = [], [], []
        if numbers["degree"]:
            ref = numbers["reference"] = bits.unary() if options.window else 0
            if ref:
                numbers["blocks"] = [bits.gamma() for _ in range(bits.gamma())]
                runs = [b + (i > 0) for i, b in enumerate(numbers["blocks"])]
                other = list(lists[x - ref])
                for i, run in enumerate([*runs, len(other)]):
                    copied += other[:run] if i % 2 == 0 else []
                    other = other[run:]
            left = numbers["degree"] - len(copied)
            if left and options.min_interval:
                numbers["lefts"], numbers["lengths"] = [], []
                for i in range(bits.gamma()):
                    numbers["lefts"].append(bits.gamma())
                    numbers["lengths"].append(bits.gamma())
                    first = numbers["lefts"][-1]
                    first = x + signed(first) if i == 0 else intervals[-1] + 2 + first
                    intervals += range(first, first + numbers["lengths"][-1] + options.min_interval)
            numbers["residuals"] = []
            for i in range(left - len(intervals)):
                numbers["residuals"].append(bits.zeta(options.zeta_k))
                gap = numbers["residuals"][-1]
                residuals.append(x + signed(gap) if i == 0 else residuals[-1] + gap + 1)
        lists.append(sorted([*copied, *intervals, *residuals]))
        told.append(numbers)
    assert len(bits.bits) - bits.place < 8
    return lists, told
