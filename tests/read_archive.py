"""A reader of archives, written from tablebase-gen/FORMAT.md alone.

usage: read_archive.py FILE RULES
Writes a line for each row: a digit for each stored cell, 0 draw, 1 loss, 2 win. Knows the boards that
read_tables.py knows, and does not check checksums either.
"""
import sys
from bisect import bisect_left
from math import comb

from read_tables import BOARDS, CHANCES, UNKNOWN, Board, Decoder, Row, chance_of, points_of

PATTERNS = {
    "nine": "a1 a4 a7 d7 g7 g4 g1 d1,b2 b4 b6 d6 f6 f4 f2 d2,c3 c4 c5 d5 e5 e4 e3 d3,a1 a4 a7 b2 b4 b6 c4,"
            "a7 d7 g7 b6 d6 f6 d5,g7 g4 g1 f6 f4 f2 e4,g1 d1 a1 f2 d2 b2 d3,a4 b4 c4 e4 f4 g4 d1 d7",
    "six": "a1 a3 a5 c5 e5 e3 e1 c1,b2 b3 b4 c4 d4 d3 d2 c2,a3 b3 c5 c4 e3 d3 c1 c2",
}
ONES = lambda s: bin(s).count("1")
SUMS = [-1535 + bisect_left(CHANCES[1:3071], 16 * e + 8) for e in range(4096)]
SUMS = [min(s, 1535) for s in SUMS]


def digits(*pairs):
    number = 0
    for digit, base in pairs:
        number = number * base + min(digit, base - 1)
    return number


class Mixer:
    def __init__(self):
        self.opinions = [{} for _ in range(18)]
        self.weights, self.corrections = {}, [{}, {}]

    def bit(self, decoder, entries, weights, corrections):
        rows = [t.setdefault(e, [1 << 21, 0]) for t, e in zip(self.opinions, entries)]
        sums = [SUMS[q >> 10] for q, _ in rows] + [128]
        weights = self.weights.setdefault(weights, [16384] * 19)
        x = min(max(sum(w * s for w, s in zip(weights, sums)) >> 16, -1535), 1535)
        m, k, f = chance_of(x), (x + 1536) // 96, (x + 1536) % 96
        first = lambda: [chance_of(96 * (n - 16)) * 256 for n in range(33)]
        lines = [t.setdefault(e, first()) for t, e in zip(self.corrections, corrections)]
        y = [(t[k] * (96 - f) + t[k + 1] * f) // 96 >> 8 for t in lines]
        bit = decoder.bit(min(max((2 * m + sum(y)) // 4, 1), 65535))
        e = (65536 * bit - m) >> 2
        for n, s in enumerate(sums):
            weights[n] = min(max(weights[n] + (s * e * 30 + 32768 >> 16), -1 << 22), 1 << 22)
        for row in rows:
            q, c = row
            target = (1 << 22) - 1 if bit else 0
            row[:] = q + ((target - q) * (131072 // (2 * c + 3)) >> 16), min(c + 1, 1023)
        for t in lines:
            j = k + (f >= 48)
            t[j] += (65535 * 256 - t[j]) >> 6 if bit else -(t[j] >> 6)
        return bit


class Archive:
    def __init__(self, path, rules):
        name = rules.split("+")[0].split("-")[0]
        self.board, data = Board(*BOARDS[name]), open(path, "rb").read()
        field = lambda at, size: int.from_bytes(data[at:at + size], "little")
        assert data[:8] == b"MRGARCH\n" and field(8, 4) == 1
        head, length = field(12, 4), field(88, 8)
        self.own, self.opponent = data[24], data[25]
        # Nobody flies with more than three stones in the games that are known here.
        slides = not rules.startswith("nine") or self.own > 3
        self.parity = (not any(data[26:28]) and self.own == self.opponent and slides
                       and "fly" not in rules and self.board.second is not None)
        number = {n: p for p, n in enumerate(BOARDS[name][0])}
        self.patterns = [sum(1 << number[n] for n in p.split()) for p in PATTERNS[name].split(",")]
        self.decoder, self.mixers = Decoder(data[head:head + length]), [Mixer(), Mixer()]
        self.columns = comb(self.board.points - self.own, self.opponent)
        self.representatives, self.numbers = self.board.classes(self.own)
        self.rows, self.answers, self.stored = {}, {}, {}

    def read(self):
        second = self.board.second or 0
        order = sorted((ONES(own & second) % 2, n) for n, own in enumerate(self.representatives))
        for _, row in order:
            self.read_row(row)
        return [self.stored[row] for row in range(len(self.representatives))]

    def slides_of_other(self, own, stones):
        """The other side's slides: where they lead, and whether they close."""
        free = self.board.all & ~own
        for start in points_of(stones):
            for end in points_of(self.board.joined[start] & free & ~stones):
                lines = [line & ~(1 << end) for line in self.board.lines if line >> end & 1]
                lines = [line for line in lines if not line >> start & 1 and not line & ~free]
                yield stones ^ 1 << start ^ 1 << end, bool(lines) and lines[0] & stones == lines[0]

    def answer(self, row, stones):
        """Worth, ways, and whether the other side can close, if it is to move."""
        if (row, stones) not in self.answers:
            own, found, closes = self.representatives[row], [0] * 3, False
            for after, closing in self.slides_of_other(own, stones):
                value = self.rows[row].get(after)
                if closing:
                    closes = True
                elif value is not None:
                    found[(1, 0, 2)[value]] += 1
            worths = [w for w in range(3) if found[w]]
            worth, ways = (worths[0], found[worths[0]]) if worths else (3 if closes else 2, 0)
            self.answers[row, stones] = worth, ways, closes
        return self.answers[row, stones]

    def read_row(self, row):
        own = self.representatives[row]
        context, slides = Row(self, own), []
        for start in points_of(own):
            rest = own & ~(1 << start)
            for end in points_of(self.board.joined[start] & ~own):
                if not self.board.in_mill(end, rest | 1 << end):
                    image = min((sum(1 << s[p] for p in points_of(rest | 1 << end)), n)
                                for n, s in enumerate(self.board.symmetries))
                    target, symmetry = self.numbers[image[0]], self.board.symmetries[image[1]]
                    slides.append((end, target if target in self.rows else None, symmetry))
        values, places, digits_read, before = {}, {}, [], [UNKNOWN, UNKNOWN]
        for cell in context.cells(0, self.columns, 0):
            seen = [0] * 4
            for n in cell.neighbours:
                seen[places.get(n, UNKNOWN)] += 1
            value = self.read_cell(cell, own, slides, seen, before)
            values[cell.stones], places[cell.place] = value, value
            before = [before[1], value]
            digits_read.append(value)
        # The twins.
        for stones, value in list(values.items()):
            for s in context.keep:
                values[sum(1 << s[p] for p in points_of(stones))] = value
        self.rows[row], self.stored[row] = values, digits_read

    def read_cell(self, cell, own, slides, seen, before):
        stones = cell.stones
        threats = sum(closes for _, closes in self.slides_of_other(own, stones))
        sure, opened, cells, narrow, unknown = [0] * 4, [0] * 4, [0] * 3, 0, 0
        for end, target, symmetry in slides:
            if stones >> end & 1:
                continue
            if target is None:
                unknown += 1
                continue
            moved = sum(1 << symmetry[p] for p in points_of(stones))
            worth, ways, closes = self.answer(target, moved)
            (opened if closes else sure)[worth] += 1
            narrow += worth < 2 and ways == 1
            value = self.rows[target].get(moved)
            if value is not None:
                cells[value] += 1
        best = lambda counts: max((w + 1 for w in range(3) if counts[w]), default=0)
        s, o = best(sure), best(opened)
        if o == 0 and opened[3]:
            o = 3
        closings = cell.closings // 8
        near = digits((seen[0], 6), (seen[1], 6), (seen[2], 6))
        summary = digits((s, 4), (o, 4), (closings, 4), (threats, 4))
        patterns = (cell.patterns() + [0] * 8)[:8]
        entries = [digits((p, 6561), (threats, 2), (closings, 2)) for p in patterns]
        entries += [digits((patterns[k], 6561), (patterns[k + 1] % 81, 81)) for k in (0, 1, 3, 5)]
        entries += [
            (near * 16 + before[0] * 4 + before[1]) * 16 + digits((s, 4), (o, 4)),
            digits((sure[2], 3), (opened[2], 3), (sure[1], 3), (opened[1], 3),
                   (sure[0] + opened[0], 3), (closings, 4), (threats, 4)),
            digits(*((c, 6) for c in cells), (s, 4), (o, 4), (closings, 4)),
            digits((near, 216), (closings, 4), (threats, 4)),
            digits((cell.freedom, 1024), (threats, 4), (closings, 4)),
            digits((narrow, 4), (summary, 256), (unknown, 4), (max(unknown - 3, 0), 4)),
        ]
        weights = digits((s, 4), (o, 4), (closings, 4), (unknown, 4))
        corrections = [digits((summary, 256), (unknown, 4)), near]
        for mixer, value in zip(self.mixers, (2, 1)):
            if mixer.bit(self.decoder, entries, weights, corrections):
                return value
        return 0


def main():
    for row in Archive(*sys.argv[1:3]).read():
        print("".join(map(str, row)))


if __name__ == "__main__":
    main()
