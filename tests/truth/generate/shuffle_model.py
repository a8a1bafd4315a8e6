#!/usr/bin/python3
"""Writes tests/truth/data/shuffle_model.jsonl: delta(epsilon) and Renyi divergences of the pair of clones, straight from
its definition, at 30 digits. C of the n - 1 other people send clones, each of the first kind with probability 1/2; the
person's own message is of the first kind with probability e^e0/(e^e0 + 1) under P, and 1/(e^e0 + 1) under Q; published
are both counts.

It needs mpmath, takes some seconds, and is not run by the tests:

    python3 tests/truth/generate/shuffle_model.py
"""

import json
import pathlib

from mpmath import binomial, exp, floor, log, mp, mpf

mp.dps = 30
TARGET = pathlib.Path(__file__).resolve().parent.parent / "data" / "shuffle_model.jsonl"
NEGLIGIBLE = mpf(10) ** -32


def clone_counts(people, clone):
    """Yields (C, its probability) where the probability matters."""
    middle = int(floor((people - 1) * clone))
    start = binomial(people - 1, middle) * clone**middle * (1 - clone) ** (people - 1 - middle)
    for step in (1, -1):
        count, mass = middle, start
        while 0 <= count < people and mass > NEGLIGIBLE:
            if step == 1 or count != middle:
                yield count, mass
            if step == 1:
                mass *= (people - 1 - count) * clone / ((count + 1) * (1 - clone))
            else:
                mass *= count * (1 - clone) / ((people - count) * clone)
            count += step


def outcomes(messages, own):
    """Yields (P, Q) of a messages of the first kind and the others of the second, where they matter."""
    half = messages // 2
    for step in (1, -1):
        a = half if step == 1 else half - 1
        coins = binomial(messages, a) / mpf(2) ** messages if a >= 0 else mpf(0)
        while 0 <= a <= messages and coins > NEGLIGIBLE:
            first = 2 * mpf(a) / messages  # times the probability of a - 1 among the messages of others
            yield coins * (own * first + (1 - own) * (2 - first)), coins * ((1 - own) * first + own * (2 - first))
            coins *= mpf(messages - a) / (a + 1) if step == 1 else mpf(a) / (messages - a + 1)
            a += step


def row(local, people, categories, epsilons, orders):
    """Returns a row of the table."""
    e0 = mpf(local)
    clone = 2 / (exp(e0) + 1) if categories else exp(-e0)
    own = exp(e0) / (exp(e0) + 1)
    deltas, moments = [mpf(0)] * len(epsilons), [mpf(0)] * len(orders)
    for count, mass in clone_counts(people, clone):
        for p, q in outcomes(count + 1, own):
            for i, epsilon in enumerate(epsilons):
                deltas[i] += mass * max(mpf(0), p - exp(mpf(epsilon)) * q)
            for i, order in enumerate(orders):
                moments[i] += mass * p * (p / q) ** (order - 1)
    return {
        "epsilon_local": local,
        "people": people,
        "categories": categories,
        "epsilons": epsilons,
        "deltas": [mp.nstr(delta, 20) for delta in deltas],
        "orders": orders,
        "divergences": [mp.nstr(log(moment) / (order - 1), 18) for moment, order in zip(moments, orders)],
    }


def main():
    """Writes the table."""
    rows = []
    for local in (0.25, 1, 3):
        for people in (2, 5, 30):
            for categories in (0, 2):
                rows.append(row(local, people, categories, [0, 0.3 * local, 0.8 * local], [1.5, 4, 32]))
    for local, people, categories, epsilons in (
        (1, 300, 0, [0.1, 0.4]),
        (2, 1000, 0, [0.1, 0.3, 0.6]),
        (2, 300, 10, [0.2, 0.7]),
        (4, 3000, 0, [0.2, 0.8]),
    ):
        rows.append(row(local, people, categories, epsilons, [2, 16]))
    TARGET.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
