# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Fits the rows of measured_costs.hpp to measurements. The standard input has lines "row list outputs work instructions". The model is
instructions = call + output * outputs + work * work. Minimizes the squares of the relative errors, with nonnegative factors. Prints each
row with its maximum relative error."""

import itertools
import re
import sys

ROW = re.compile(r'^ *\{"([a-z0-9_.]+)", window_kind::([a-z_]+).*$', re.M)
LISTS = ("cmsis_nn", "cortex_m", "portable")


def solve(matrix, right):
    """Solves a linear system by Gaussian elimination. Returns None if the solution is not unique."""
    size = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-12:
            return None
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def fit(samples):
    """Returns the nonnegative factors with the minimum error, and their maximum relative error."""
    best = (float("inf"), (0, 0, 0), 0)
    for used in itertools.chain.from_iterable(itertools.combinations(range(3), n) for n in (1, 2, 3)):
        scaled = [[x[u] / y for u in used] for x, y in samples]
        normal = [[sum(a[i] * a[j] for a in scaled) for j in range(len(used))] for i in range(len(used))]
        found = solve(normal, [sum(a[i] for a in scaled) for i in range(len(used))])
        if found is None or min(found) < 0:
            continue
        factors = [0.0] * 3
        for u, value in zip(used, found):
            factors[u] = float("%.4g" % value)
        errors = [sum(f * a for f, a in zip(factors, x)) / y - 1 for x, y in samples]
        best = min(best, (sum(e * e for e in errors), tuple(factors), max(map(abs, errors))))
    return best[1], best[2]


def main():
    header = sys.argv[1]
    samples = {}
    for line in sys.stdin:
        row, name, outputs, work, instructions = line.split()
        samples.setdefault((int(row), name), []).append(((1.0, float(outputs), float(work)), float(instructions)))
    text = open(header).read()
    result = []
    for at, (op, window) in enumerate(ROW.findall(text)):
        lines, errors = [], []
        for name in LISTS:
            factors, error = fit(samples.get((at, name), [])) if (at, name) in samples else ((0, 0, 0), 0)
            lines.append("{%s}" % ", ".join("%g" % f for f in factors))
            errors.append("%s %.0f %%" % (name, 100 * error))
        result.append('    {"%s", window_kind::%s, %s},' % (op, window, ", ".join(lines)))
        print(result[-1].strip(), " // off by at most: " + ", ".join(errors))
    if "--write" in sys.argv:
        rows = iter(result)
        open(header, "w").write(ROW.sub(lambda _: next(rows), text))


main()
