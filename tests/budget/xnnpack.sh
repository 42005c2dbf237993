#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares an XNNPACK delegate with direct calls of the library, and with LiteRT, on the shared models:
#   sh tests/budget/xnnpack.sh [MODEL...]
# Columns:
# - the median time of a direct call, the time that the delegate's call adds, and the time that the executor adds if the model is one
#   delegate. All are measured in one interleaved run.
# - the bytes of constants in the image, and the bytes of heap that XNNPACK allocates for the delegate (packed weights and internal buffers)
# - the median time of the executor, that of LiteRT with one thread on the same input, and the ratio. They run alternately, three times
#   each, and the smallest of three medians counts, because larger ones depend on the load of the machine.
# (*) some nodes are computed by the portable kernels.
# Needs g++, cmake, python3 with venv, and PyPI for ai-edge-litert, which is installed in build/. Without it, the columns of LiteRT are
# omitted. Not in CI, because times on a busy machine vary too much. XNNPACK_PREFIX=FOLDER uses the static library in FOLDER instead of the
# system's.
set -eu
cd "$(dirname "$0")/../.."
shared=$(cd .. && pwd)/shared
if [ ! -d "$shared/models" ]; then echo "SKIPPED: needs ../shared/models" && exit 0; fi
cxx=${CXX:-g++}
folder=build/budget/xnnpack
mkdir -p $folder
venv=$folder/venv
if [ ! -x $venv/bin/python ]; then
  python3 -m venv $venv && $venv/bin/pip install --quiet ai-edge-litert numpy || echo "not measured with LiteRT, because PyPI is not reachable"
fi
library="-lXNNPACK -lpthreadpool"
version=$(dpkg-query -W -f='${Package} ${Version}' libxnnpack0 2> /dev/null || echo 'of unknown version')
if [ -n "${XNNPACK_PREFIX:-}" ]; then
  version="of $XNNPACK_PREFIX"
  library="-isystem $XNNPACK_PREFIX/include -L$XNNPACK_PREFIX/lib -Wno-deprecated-declarations -lXNNPACK"
  for part in xnnpack-microkernels-prod microkernels-prod kleidiai cpuinfo; do
    if [ -f "$XNNPACK_PREFIX/lib/lib$part.a" ]; then library="$library -l$part"; fi
  done
  library="$library -lpthreadpool"
fi
echo "XNNPACK: $version; compiler: $($cxx --version | head -1)"
$venv/bin/python -c 'import importlib.metadata as m; print("LiteRT: ai-edge-litert", m.version("ai-edge-litert"))' 2> /dev/null || true

cat > $folder/litert.py << 'EOF'
import sys, time
import numpy as np
from ai_edge_litert.interpreter import Interpreter
model, data = sys.argv[1:3]
net = Interpreter(model_path=model, num_threads=1)
net.allocate_tensors()
inp = net.get_input_details()[0]
net.set_tensor(inp["index"], np.fromfile(data, dtype=inp["dtype"], count=int(np.prod(inp["shape"]))).reshape(inp["shape"]))
for _ in range(20): net.invoke()
start = time.perf_counter(); net.invoke(); one = max(time.perf_counter() - start, 1e-7)
calls = max(1, int(0.002 / one))
times = []
for _ in range(100):
    start = time.perf_counter()
    for _ in range(calls): net.invoke()
    times.append((time.perf_counter() - start) / calls)
print(f"{sorted(times)[50] * 1e6:.2f}")
EOF

if [ $# = 0 ]; then
  for each in "$shared"/models/*.tflite; do set -- "$@" "$(basename "$each" .tflite)"; done
fi
for name in "$@"; do
  work=$folder/$name
  mkdir -p "$work"
  cmake -DINPUT="$shared/models/$name.tflite" -DOUTPUT="$work/model.hpp" -DNAME=model -P cmake/embed_file.cmake
  # shellcheck disable=SC2086 # a list of words
  "$cxx" -std=c++20 -O2 -Iinclude -Itests -I"$work" tests/budget/xnnpack_cost.cpp -o "$work/program" $library
  input=$shared/golden/$name/input_0.bin
  litert() { $venv/bin/python $folder/litert.py "$shared/models/$name.tflite" "$input" 2> /dev/null || true; }
  rm -f "$work/litert"
  for turn in 1 2 3; do
    "$work/program" "$input" 60 > "$work/run.$turn"
    litert >> "$work/litert"
  done
  fastest=$(for turn in 1 2 3; do echo "$(awk '{ print $(NF - 1) }' "$work/run.$turn") $turn"; done | sort -n | head -1)
  printf '%-24s ' "$name"
  tr -d '\n' < "$work/run.${fastest#* }"
  reference=$(sort -n "$work/litert" | head -1)
  if [ -n "$reference" ]; then
    awk -v ours="${fastest% *}" -v reference="$reference" 'BEGIN { printf "  LiteRT %8.2f us  ratio %.2f", reference, ours / reference }'
  fi
  echo
done
