"""Places the expected text of an exchange, with its dots, in what the command prints now.

The text between two dots is a run of lines. Runs are placed in the order they stand in, each on consecutive lines of
the output, so that the fewest words are lost or added in all. What remains stands under the dots, as before.
"""

import math
import re

DOTS = "..."


class Refused(Exception):
    """Why an exchange is left as it is."""


def words_of(line):
    """Returns the words of a line without punctuation around them; a blank line counts as a word."""
    return [word.strip(".,:;()\"'`") or word for word in line.split()] or ["\n"]


def count_words(lines):
    return sum(len(words_of(line)) for line in lines)


def runs_of(expected):
    """Returns the runs between the dots; the first and the last one may be empty, where dots stand at an end."""
    runs = [[]]
    for line in expected:
        if line == DOTS:
            runs.append([])
        else:
            runs[-1].append(line)
    return runs


def costs_from(run, output, start):
    """Yields for each end how many words are lost or added if `run` becomes output[start:end]."""
    if not run:
        yield start, 0
        return
    old = [word for line in run for word in words_of(line)]
    common = [0] * (len(old) + 1)  # longest common subsequence with each beginning of `old`
    added = 0
    for end in range(start + 1, min(len(output), start + 2 * len(run) + 4) + 1):
        for word in words_of(output[end - 1]):
            added += 1
            diagonal = 0
            for place, mine in enumerate(old, 1):
                above = common[place]
                common[place] = diagonal + 1 if mine == word else max(above, common[place - 1])
                diagonal = above
        yield end, len(old) + added - 2 * common[-1]


class Placement:
    """All ways to place the runs, and the cheapest one."""

    def __init__(self, runs, output):
        self.runs, self.output = runs, output
        size = len(output) + 1
        self.costs = [[dict(costs_from(run, output, start)) for start in range(size)] for run in runs]
        # before[r][i]: runs before r stand before line i; after[r][i]: runs from r on stand from line i on.
        self.before = [[0] + [math.inf] * (size - 1)]
        for costs in self.costs[:-1]:
            self.before.append(self.spread(self.before[-1], costs))
        self.after = [[math.inf] * (size - 1) + [0]]
        for costs in reversed(self.costs):
            self.after.append(self.gather(costs, self.after[-1]))
        self.after.reverse()

    @staticmethod
    def spread(before, costs):
        reached = [math.inf] * len(before)
        for start, ends in enumerate(costs):
            for end, cost in ends.items():
                reached[end] = min(reached[end], before[start] + cost)
        for place in range(1, len(reached)):
            reached[place] = min(reached[place], reached[place - 1])
        return reached

    @staticmethod
    def gather(costs, after):
        reached = [min((cost + after[end] for end, cost in ends.items()), default=math.inf) for ends in costs]
        for place in range(len(reached) - 2, -1, -1):
            reached[place] = min(reached[place], reached[place + 1])
        return reached

    def ways(self, run):
        """Yields (cost of all runs, start, end) for each place of a run."""
        for start, ends in enumerate(self.costs[run]):
            for end, cost in ends.items():
                total = self.before[run][start] + cost + self.after[run + 1][end]
                if total < math.inf:
                    yield total, start, end

    def cheapest(self):
        """Returns the start and end of each run. The first starts where the output does, the last ends with it."""
        chosen, place = [], 0
        for run, costs in enumerate(self.costs):
            ways = [(cost + self.after[run + 1][end], start, end)
                    for start in ([0] if run == 0 else range(place, len(costs)))
                    for end, cost in costs[start].items()]
            total, start, end = min(ways, default=(math.inf, 0, 0))
            if total == math.inf:
                raise Refused("what stands between the dots has no place in the output")
            chosen.append((start, end))
            place = end
        return chosen


def check_is_found(run, cost, now):
    """Refuses a run that lost more than half of its words: it is not the same text any more."""
    kept = (count_words(run) + count_words(now) - cost) / 2
    if 2 * kept < count_words(run):
        raise Refused(f"what became of {run[0]!r} between the dots cannot be told")


def check_is_clear(placement, run, chosen):
    """Refuses a place if another one, with another text, is hardly worse: by less than a quarter of the words in which
    the two places differ."""
    start, end = chosen
    output = placement.output
    best = min(placement.ways(run))[0]
    for total, other_start, other_end in sorted(placement.ways(run)):
        if output[other_start:other_end] == output[start:end]:
            continue
        differing = set(range(start, end)) ^ set(range(other_start, other_end))
        if 4 * (total - best) < count_words(output[line] for line in differing):
            raise Refused(f"{placement.runs[run][0]!r} between the dots may be {describe(output, start, end)} or "
                          f"{describe(output, other_start, other_end)}")


def describe(output, start, end):
    lines = f"line {end}" if end == start + 1 else f"lines {start + 1} to {end}"
    return f"{lines} ({output[start]!r})"


def rewritten(expected, output):
    """Returns the new expected text; raises Refused where it would be a guess."""
    runs = runs_of(expected)
    if len(runs) == 1:
        return list(output)
    placement = Placement(runs, output)
    lines = []
    for run, (start, end) in enumerate(placement.cheapest()):
        now = output[start:end]
        if runs[run] != now:
            check_is_found(runs[run], placement.costs[run][start][end], now)
            check_is_clear(placement, run, (start, end))
        lines += [DOTS, *now] if run else now
    return lines


#: A word with a digit in it, infinity, and what JSON writes in place of a number.
FIGURE = re.compile(r"[\w.+±⁻−-]*[\d²³¹⁰⁴-⁹][\w.+±⁻−-]*|[+-]?\b(?:inf|infinity|nan)\b"
                    r"|(?<=[:\[,])\s*(?:true|false|null)\b")


def figures_of(lines):
    """Returns every number of a text in its order, and what JSON writes in place of one. A word with a digit in it
    counts as a number, since digests and names of parameters must not change unnoticed either."""
    found = FIGURE.findall("\n".join(line for line in lines if line != DOTS))
    return [figure.strip().rstrip(".-") for figure in found]
