# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Fits the rows of the tables in the headers of the command line to measurements. The standard input has two kinds of lines:

- "table row outputs work setups instructions": a whole node. The model is instructions = call + output * outputs + work * work + setup *
  setups. Minimizes the squares of the relative errors, with nonnegative factors. The last number of a row is the margin: the largest part by
  which a measurement exceeds the model.
- "table row rows|chunks outputs calls whole instructions": a node in slices. The model is instructions = whole + call * calls + output *
  outputs. The largest number of `call` is used, so that no measured slice is longer than its estimate.

Margins and additional costs of slices never decrease, because the random networks of tests/plan/stepped_networks measure larger ones.

Prints each row with its maximum relative error. Rows without measurements are kept."""

import itertools
import re
import sys
from decimal import ROUND_CEILING, Context, Decimal

ROW = re.compile(r'^( *\{"[a-z0-9_.]+", [a-z_:0-9]+, [a-z_:0-9]+, )\{[^}]*\}(, [0-9.]+\},)$')
CALLS = re.compile(r'^( *\{"[a-z0-9_.]+", [a-z_:0-9]+, [a-z_:0-9]+, )(\{[^}]*\}), (\{[^}]*\})((?:, [0-9.]+)?\},)$')
BROKEN_ROW = re.compile(r'\{"[a-z0-9_.]+",\n(?:[^{}]|\{[^{}]*\})*\},\n')
TABLE = re.compile(r"(?:cost_row|call_row) (\w+)\[\]")

STEP = 40.0  # the image counts instructions in steps
SETUPS = 3  # the index of the setups in a size


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
    """Returns the nonnegative factors with the minimum error, and the relative errors of the model."""
    best = (float("inf"), (0,) * len(samples[0][0]), [0])
    count = len(samples[0][0])
    for used in itertools.chain.from_iterable(itertools.combinations(range(count), n) for n in range(1, count + 1)):
        scaled = [[x[u] / y for u in used] for x, y in samples]
        normal = [[sum(a[i] * a[j] for a in scaled) for j in range(len(used))] for i in range(len(used))]
        if SETUPS in used and len(used) >= len(samples):
            continue  # as many factors as samples fit any measurement
        solution = solve(normal, [sum(a[i] for a in scaled) for i in range(len(used))])
        if solution is None or min(solution) < 0:
            continue
        factors = [0.0] * count
        for u, value in zip(used, solution):
            factors[u] = float("%.4g" % value)
        errors = [sum(f * a for f, a in zip(factors, x)) / y - 1 for x, y in samples]
        best = min(best, (sum(e * e for e in errors), tuple(factors), errors))
    return best[1], best[2]


def round_up(number):
    """Returns the smallest number of two significant digits that is at least `number`."""
    return float(Decimal("%.6g" % number).normalize(Context(prec=2, rounding=ROUND_CEILING)))


def fit_row(samples, min_margin):
    """Returns the numbers of a row, and their maximum relative error. The margin is at least `min_margin`."""
    factors, errors = fit(samples)
    # A measurement is up to a step too low, so the margin ignores small nodes.
    margin = max([min_margin] + [1 / (1 + e) - 1 for e, (_, y) in zip(errors, samples) if y > 10 * STEP and e > -1])
    return "{%s}" % ", ".join("%g" % f for f in factors + (round_up(margin),)), max(map(abs, errors))


def fit_calls(samples, old):
    """Returns the additional instructions of slices: for each call, and for each element of the output. Both are at least those of `old`."""
    min_call, min_output = map(float, old.strip("{}").split(","))
    most = [(1.0, calls, outputs, max(0.0, instructions - whole)) for outputs, calls, whole, instructions in samples]
    # Elements cost more in slices only if the kernel computes slices by other loops. A line through the samples separates both costs.
    output = 0.0
    factors, _ = fit([((calls, outputs), max(added, STEP)) for _, calls, outputs, added in most])
    if factors[1] > 1:
        output = factors[1]
    call = max((added - output * outputs) / calls for _, calls, outputs, added in most)
    return "{%g, %g}" % (max(float("%.3g" % call), min_call), max(float("%.3g" % output), min_output))


def main():
    headers = [name for name in sys.argv[1:] if name != "--write"]
    samples = {}
    for line in sys.stdin:
        words = line.split()
        if words[2] in ("rows", "chunks"):
            samples.setdefault((words[0], int(words[1]), words[2]), []).append(tuple(map(float, words[3:])))
        else:
            table, row, outputs, work, setups, instructions = words
            size = (1.0, float(outputs), float(work), float(setups))
            samples.setdefault((table, int(row)), []).append((size, max(float(instructions), STEP)))
    for header in headers:
        # A row that the formatter broke into lines is joined, because each line of a table is one row.
        lines = BROKEN_ROW.sub(lambda row: " ".join(row.group().split()) + "\n", open(header).read()).split("\n")
        table, counter = None, None
        for i, line in enumerate(lines):
            named = TABLE.search(line)
            if named:
                table, counter = named.group(1), itertools.count()
            row, calls = ROW.match(line), CALLS.match(line)
            if row:
                row_samples = samples.get((table, next(counter)))
                if not row_samples:
                    print(line.strip(), " // not measured")
                    continue
                numbers, error = fit_row(row_samples, float(line.split("{")[2].split("}")[0].split(",")[-1]))
                lines[i] = row.group(1) + numbers + row.group(2)
                print(lines[i].strip(), " // off by at most %.0f %%" % (100 * error))
            elif calls:
                at = next(counter)
                parts = [calls.group(2), calls.group(3)]
                for kind, name in enumerate(("rows", "chunks")):
                    call_samples = samples.get((table, at, name))
                    if call_samples:
                        parts[kind] = fit_calls(call_samples, parts[kind])
                lines[i] = calls.group(1) + ", ".join(parts) + calls.group(4)
                print(lines[i].strip())
        if "--write" in sys.argv:
            open(header, "w").write("\n".join(lines))


main()
