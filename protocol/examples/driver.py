#!/usr/bin/env python3
"""Lets Millrace play a game against itself and prints it: driver.py [PROGRAM [RULES [TURNS]]]."""
import subprocess
import sys


class Engine:
    """A running engine: lines out, lines in."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line):
        print(line, file=self.process.stdin)

    def read_to(self, word):
        """The first line that begins with the word; errors on the way are fatal."""
        for line in self.process.stdout:
            if line.startswith("info string error"):
                sys.exit(line.strip())
            if line.split()[:1] == [word]:
                return line.split()
        sys.exit(f"the engine has ended before it said '{word}'")


program, rules, most = (sys.argv[1:] + ["millrace", "nine", "60"][len(sys.argv) - 1:])[:3]
engine = Engine(program)
engine.send(f"uci\nsetoption name UCI_Variant value {rules}\nucinewgame\nisready")
engine.read_to("readyok")
moves = []
while len(moves) < int(most):
    engine.send(f"position startpos moves {' '.join(moves)}\ngo movetime 20")
    turn = engine.read_to("bestmove")[1]
    if turn == "(none)":
        break
    moves.append(turn)
engine.send("d")
print(" ".join(moves), "|", " ".join(engine.read_to("Result:")[1:]))
engine.send("quit")
sys.exit(engine.process.wait())
