"""A reader of published tables, written from tablebase-gen/FORMAT.md alone.

usage: read_tables.py FOLDER RULES < positions
A position is a line of two numbers, the stones of the side to move and of the other side as sets of
points, or of four: then the numbers of their stones in hand. Answered is a line each: W 25, D or L 4.
Needs nothing but the standard library, and does not check checksums (XXH3 is not in it). Knows rules
with the usual removals, where stones are moved when all have been placed.
"""
import sys
from functools import lru_cache
from itertools import combinations
from math import comb

NINE = "a1 a4 a7 d7 g7 g4 g1 d1 b2 b4 b6 d6 f6 f4 f2 d2 c3 c4 c5 d5 e5 e4 e3 d3".split()
NINE_LINES = ("a1 a4 a7,a7 d7 g7,g7 g4 g1,g1 d1 a1,b2 b4 b6,b6 d6 f6,f6 f4 f2,f2 d2 b2,c3 c4 c5,"
              "c5 d5 e5,e5 e4 e3,e3 d3 c3,a4 b4 c4,d7 d6 d5,g4 f4 e4,d1 d2 d3")
SIX = "a1 a3 a5 c5 e5 e3 e1 c1 b2 b3 b4 c4 d4 d3 d2 c2".split()
SIX_LINES = "a1 a3 a5,a5 c5 e5,e5 e3 e1,e1 c1 a1,b2 b3 b4,b4 c4 d4,d4 d3 d2,d2 c2 b2"
BOARDS = {"nine": (NINE, NINE_LINES, ""), "six": (SIX, SIX_LINES, "c1 c2,a3 b3,d3 e3,c4 c5")}
UNKNOWN, ONE = 3, 1 << 16
points_of = lru_cache(None)(lambda s: tuple(p for p in range(24) if s >> p & 1))


class Board:
    def __init__(self, names, lines, joints):
        number = {name: p for p, name in enumerate(names)}
        triples = [[number[n] for n in line.split()] for line in lines.split(",")]
        self.points, self.all = len(names), (1 << len(names)) - 1
        self.lines = [sum(1 << p for p in t) for t in triples]
        self.joined = [0] * self.points
        pairs = [p for a, b, c in triples for p in ((a, b), (b, c))]
        pairs += [[number[n] for n in j.split()] for j in joints.split(",") if j]
        for a, b in pairs:
            self.joined[a] |= 1 << b
            self.joined[b] |= 1 << a
        self.symmetries = []
        self.extend([])
        self.second = self.colour()

    def extend(self, image):
        at = len(image)
        if at == self.points:
            move = lambda s: sum(1 << image[p] for p in points_of(s))
            if all(move(line) in self.lines for line in self.lines):
                self.symmetries.append(image)
            return
        for q in range(self.points):
            if q not in image and all((self.joined[at] >> p & 1) == (self.joined[q] >> image[p] & 1)
                                      for p in range(at)):
                self.extend(image + [q])

    def colour(self):
        first, second = 1, 0
        for _ in range(self.points):
            grow = lambda s: sum(1 << p for p in range(self.points) if self.joined[p] & s)
            first, second = first | grow(second), second | grow(first)
        return None if first & second else second

    def images(self, s):
        return [sum(1 << image[p] for p in points_of(s)) for image in self.symmetries]

    def in_mill(self, point, stones):
        return any(line >> point & 1 and line & stones == line for line in self.lines)

    @lru_cache(None)
    def classes(self, size):
        """The representatives, ascending, and the number of each."""
        found, seen = [], set()
        sets = sorted(sum(1 << p for p in c) for c in combinations(range(self.points), size))
        for s in sets:
            if s not in seen:
                seen.update(self.images(s))
                found.append(s)
        return found, {s: n for n, s in enumerate(found)}


class Decoder:
    def __init__(self, data):
        self.data, self.at, self.range = data, 8, (1 << 64) - 1
        self.code = int.from_bytes(data[:8].ljust(8, b"\0"), "big")

    def bit(self, chance):
        bound = (self.range >> 16) * chance
        bit = self.code < bound
        if bit:
            self.range = bound
        else:
            self.code -= bound
            self.range -= bound
        if self.range < 1 << 32:
            word = int.from_bytes(self.data[self.at:self.at + 4].ljust(4, b"\0"), "big")
            self.range, self.code, self.at = self.range << 32, self.code << 32 | word, self.at + 4
        return bit


class Numbers:
    def __init__(self, decoder):
        self.decoder, self.last = decoder, 0
        self.lengths = [[ONE // 2] * 34 for _ in range(3)]
        self.top = [ONE // 2] * 34

    def learned(self, table, at):
        chance = table[at]
        bit = self.decoder.bit(min(max(chance, 32), ONE - 32))
        table[at] = chance + (ONE - chance >> 4) if bit else chance - (chance >> 4)
        return bit

    def unsigned(self):
        row, length = self.lengths[min(self.last, 2)], 0
        while self.learned(row, length):
            length += 1
        self.last, value = length, 1
        for place in reversed(range(length)):
            first = place + 1 == length
            bit = self.learned(self.top, length) if first else self.decoder.bit(ONE // 2)
            value = value << 1 | bit
        return value - 1

    def signed(self):
        folded = self.unsigned()
        return folded >> 1 ^ -(folded & 1)


def chances():
    table, odds = [0] * 3072, 1 << 32
    for s in range(1536):
        table[1536 + s] = min((odds << 16) // (odds + (1 << 32)), ONE - 1)
        if s:
            table[1536 - s] = ONE - table[1536 + s]
        odds = odds * 4328653142 >> 32
    table[0] = table[1]
    return table


CHANCES = chances()
chance_of = lambda s: CHANCES[min(max(s, -1536), 1535) + 1536]


class Table:
    """One file: rows, columns, blocks, and the model that its cells are coded by."""

    def __init__(self, board, path, kind):
        self.board, self.data, self.cache = board, open(path, "rb").read(), {}
        field = lambda at, size: int.from_bytes(self.data[at:at + size], "little")
        assert self.data[:8] == b"MRGPACK\n" and field(8, 4) == 1 and self.data[28] == kind
        head, self.own, self.opponent = field(12, 4), self.data[24], self.data[25]
        self.parity = self.data[29] == 1
        self.per_block, self.parts, self.count = field(32, 4), field(36, 4), field(40, 4)
        self.index = field(112, 8)
        self.columns = comb(board.points - self.own, self.opponent)
        self.width = -(-self.columns // self.parts)
        self.representatives, self.numbers = board.classes(self.own)
        decoder = Decoder(self.data[head:head + field(44, 4)])
        numbers = Numbers(decoder)
        if kind == 2:
            self.trees = [chance_of(32 * numbers.signed()) for _ in range(2 * 5 * 48 * 128)]
            return
        self.patterns = [numbers.unsigned() for _ in range(numbers.unsigned())]
        sizes = [3 ** bin(p).count("1") for p in self.patterns] + [1024, 64, 3456]
        parts = [Numbers(decoder), Numbers(decoder)]
        self.weights = [[[8 * n.signed() for n in parts] for _ in range(s)] for s in sizes]

    def stored(self, block):
        page, lengths = block // 32, self.index + -(-self.count // 32) * 16
        start = int.from_bytes(self.data[self.index + page * 16:][:8], "little")
        length = lambda b: int.from_bytes(self.data[lengths + 2 * b:][:2], "little")
        start += sum(length(b) for b in range(page * 32, block))
        return self.data[start:start + length(block)]

    def locate(self, own, opponent):
        """The block of a position and its place there; no place if it is not stored."""
        board = self.board
        if self.parity and bin((own | opponent) & board.second).count("1") % 2:
            return None
        pairs = zip(board.images(own), board.images(opponent))
        representative, column_set = min(pairs)
        row = self.numbers[representative]
        free = points_of(board.all & ~representative)
        bits = [n for n, p in enumerate(free) if column_set >> p & 1]
        column = sum(comb(b, k + 1) for k, b in enumerate(bits))
        if self.parts == 1:
            return row // self.per_block, row % self.per_block * self.columns + column
        return row * self.parts + column // self.width, column % self.width

    def cells(self, block):
        """Row contexts and cells of a block in order: what the values are coded by."""
        first_row = block // self.parts * self.per_block
        first = block % self.parts * self.width
        end = min(first + self.width, self.columns)
        place = 0
        for row in range(first_row, min(first_row + self.per_block, len(self.representatives))):
            context = Row(self, self.representatives[row])
            yield from context.cells(first, end, place)
            place += end - first

    def block(self, number, values=None):
        if number not in self.cache:
            decoder = Decoder(self.stored(number))
            read = self.read_values if values is None else self.read_distances
            self.cache[number] = read(number, decoder, values)
        return self.cache[number]

    def read_values(self, number, decoder, _):
        values, before, row = {}, [UNKNOWN, UNKNOWN], None
        for cell in self.cells(number):
            if cell.row is not row:
                row, before = cell.row, [UNKNOWN, UNKNOWN]
            seen = [0] * 4
            for n in cell.neighbours:
                seen[values.get(n, UNKNOWN)] += 1
            near = 0
            for v in (0, 1, 2):
                near = near * 6 + min(seen[v], 5)
            near = near * 16 + before[0] * 4 + before[1]
            entries = cell.patterns() + [cell.freedom, cell.closings, near]
            sums = [sum(w[e][k] for w, e in zip(self.weights, entries)) for k in (0, 1)]
            value = 2 if decoder.bit(chance_of(sums[0])) else int(decoder.bit(chance_of(sums[1])))
            values[cell.place] = value
            before = [before[1], value]
        return values

    def read_distances(self, number, decoder, values):
        plies, last = {}, [0, 0]
        for cell in self.cells(number):
            value = values[cell.place]
            if value == 0:
                plies[cell.place] = 0
                continue
            near = [plies[n] // 2 for n in cell.neighbours if values.get(n) == value]
            wins = value - 1
            if not near:
                expected, spread = last[wins], 0
            elif len(near) == 1:
                expected, spread = (near[0] + last[wins]) // 2, 1
            else:
                apart = max(near) - min(near)
                expected, spread = sum(near) // len(near), 2 if apart < 2 else 3 if apart < 6 else 4
            tree, node = ((wins * 5 + spread) * 48 + min(expected, 47)) * 128, 1
            for _ in range(7):
                node = node * 2 + decoder.bit(self.trees[tree + node])
            last[wins] = node - 128
            plies[cell.place] = 2 * last[wins] + wins
        return plies


class Row:
    """What the cells of a row have in common: the stones of the side to move."""

    def __init__(self, table, own):
        board = table.board
        self.table, self.own, self.free = table, own, points_of(board.all & ~own)
        bit = {p: n for n, p in enumerate(self.free)}
        free = board.all & ~own
        closes = lambda to: any(board.in_mill(to, own & ~(1 << f) | 1 << to)
                                for f in points_of(board.joined[to] & own))
        self.closable = sum(1 << p for p in self.free if closes(p))
        self.mills = sum(board.in_mill(p, own) for p in points_of(own))
        self.keep = [s for s in board.symmetries if sum(1 << s[p] for p in points_of(own)) == own]
        self.pairs = []
        for p in self.free:
            near = board.joined[p]
            if table.parity:
                two = 0
                for q in points_of(near):
                    two |= board.joined[q]
                near = two & ~near
            self.pairs += [(1 << bit[p], 1 << bit[q]) for q in points_of(near & free) if q < p]
        self.pairs = self.pairs[:64]

    def cells(self, first, end, place):
        board, k = self.table.board, self.table.opponent
        for column in range(first, end):
            bits, left, below = 0, column, len(self.free)
            for size in range(k, 0, -1):
                below = max(b for b in range(below) if comb(b, size) <= left)
                left -= comb(below, size)
                bits |= 1 << below
            stones = sum(1 << self.free[b] for b in points_of(bits))
            here = place + column - first
            parity = bin((stones | self.own) & (board.second or 0)).count("1") % 2
            images = (sum(1 << s[p] for p in points_of(stones)) for s in self.keep)
            if self.table.parity and parity or min(images) < stones:
                continue
            yield Cell(self, bits, stones, here, place, first)


class Cell:
    def __init__(self, row, bits, stones, here, place, first):
        self.row, self.stones, self.place = row, stones, here
        board, own = row.table.board, row.own
        free = board.all & ~own
        count = lambda points, near: sum(bin(board.joined[p] & near).count("1") for p in points)
        own_moves = count(points_of(own), free & ~stones)
        their_moves = count(points_of(stones), free if row.table.parity else free & ~stones)
        self.freedom = min(own_moves, 31) * 32 + min(their_moves, 31)
        closings = bin(row.closable & ~stones).count("1")
        self.closings = min(closings, 7) * 8 + min(row.mills, 7)
        self.neighbours = []
        for upper, lower in row.pairs:
            if bits & upper and not bits & lower:
                others = points_of(bits ^ upper ^ lower)
                column = sum(comb(b, k + 1) for k, b in enumerate(others))
                if column >= first:
                    self.neighbours.append(place + column - first)

    def patterns(self):
        found = []
        for pattern in self.row.table.patterns:
            digits = (2 * (self.stones >> p & 1) + (self.row.own >> p & 1) for p in points_of(pattern))
            found.append(sum(d * 3 ** n for n, d in enumerate(digits)))
        return found


class Tables:
    def __init__(self, folder, rules):
        name, *options = rules.split("+")
        self.folder, self.rules, self.tables = folder, rules, {}
        self.board = Board(*BOARDS[name.split("-")[0]])
        self.fly = {"nine": 3, "six": 0, "six-fly": 3}[name]
        assert not options

    def table(self, sector, kind):
        if (sector, kind) not in self.tables:
            board, hands = sector[:2], sector[2:]
            name = "-".join(map(str, board)) + ("_" + "-".join(map(str, hands)) if any(hands) else "")
            path = f"{self.folder}/{self.rules}-{name}.{'mrw' if kind == 1 else 'mrd'}"
            self.tables[sector, kind] = Table(self.board, path, kind)
        return self.tables[sector, kind]

    @lru_cache(None)
    def value(self, own, opponent, own_hand=0, opponent_hand=0):
        """Win (1), draw (0) or loss (-1) for the side to move, and the plies to the end."""
        a, b = bin(own).count("1"), bin(opponent).count("1")
        sector = a, b, own_hand, opponent_hand
        over = a + own_hand < 3 or b + opponent_hand < 3
        turns = [] if over else list(self.turns(own, opponent, own_hand))
        if not turns:
            return -1, 0
        is_stored = own_hand <= opponent_hand if own_hand or opponent_hand else a >= b
        if is_stored and (found := self.table(sector, 1).locate(own, opponent)):
            block, place = found
            values = self.table(sector, 1).block(block)
            if values[place] == 0:
                return 0, 0
            plies = self.table(sector, 2).block(block, values)[place]
            return (1 if values[place] == 2 else -1), plies
        left = max(own_hand - 1, 0)
        after = [self.value(o, n, opponent_hand, left) for n, o in turns]
        losses = [plies for value, plies in after if value == -1]
        if losses:
            return 1, min(losses) + 1
        if any(value == 0 for value, _ in after):
            return 0, 0
        return -1, max(plies for _, plies in after) + 1

    def turns(self, own, opponent, hand):
        """The stones of both sides after each turn."""
        board, empty = self.board, self.board.all & ~(own | opponent)
        outside = [p for p in points_of(opponent) if not board.in_mill(p, opponent)]
        flies = bin(own).count("1") <= self.fly
        near = lambda source: empty if flies else empty & board.joined[source]
        moves = ([(own | 1 << to, to) for to in points_of(empty)] if hand else
                 [(own & ~(1 << source) | 1 << to, to)
                  for source in points_of(own) for to in points_of(near(source))])
        for moved, to in moves:
            if opponent and board.in_mill(to, moved):
                for p in outside or points_of(opponent):
                    yield moved, opponent & ~(1 << p)
            else:
                yield moved, opponent


def main():
    tables = Tables(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        value, plies = tables.value(*map(int, line.split()))
        print("D" if value == 0 else f"{'W' if value > 0 else 'L'} {plies}")


if __name__ == "__main__":
    main()
