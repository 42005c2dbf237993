# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Fits the rows of the tables in the headers of the command line to measurements. The standard input has lines "table row outputs work
instructions". The model is instructions = call + output * outputs + work * work. Minimizes the squares of the relative errors, with
nonnegative factors. Prints each row with its maximum relative error. Rows without measurements are kept."""

import itertools
import re
import sys

ROW = re.compile(r'^( *\{"[a-z0-9_.]+", [a-z_:]+, [a-z_:]+, )\{[^}]*\}(, [0-9.]+\},)$', re.M)

STEP = 40.0  # the image counts instructions in steps


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
    headers = [name for name in sys.argv[1:] if name != "--write"]
    samples = {}
    for line in sys.stdin:
        table, row, outputs, work, instructions = line.split()
        samples.setdefault((table, int(row)), []).append(((1.0, float(outputs), float(work)), max(float(instructions), STEP)))
    for header in headers:
        text = open(header).read()
        table = re.search(r"cost_row (\w+)\[\]", text).group(1)
        counter = itertools.count()

        def fitted(row):
            found = samples.get((table, next(counter)))
            if not found:
                print(row.group(0).strip(), " // not measured")
                return row.group(0)
            factors, error = fit(found)
            line = "%s{%s}%s" % (row.group(1), ", ".join("%g" % f for f in factors), row.group(2))
            print(line.strip(), " // off by at most %.0f %%" % (100 * error))
            return line

        text = ROW.sub(fitted, text)
        if "--write" in sys.argv:
            open(header, "w").write(text)


main()
