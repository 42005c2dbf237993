#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles EfficientNet-B0 and NASNet-Mobile for 96 x 96 images (int8, about 5 MB each) with the portable kernels. Uses every installed
# compiler with its default limits, and prints the user seconds: sh tests/networks/large.sh
# Fails if a compiler fails. Has the requirements of run.sh, which converts the networks and compares them with LiteRT.
set -eu
cd "$(dirname "$0")/../.."
work=build/networks
sh tests/networks/run.sh efficientnet_b0 nasnet_mobile

mkdir -p $work/large
cat > $work/large/main.cpp << 'END'
#include <baton/import/tflite.hpp>
#include <baton/executor.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include "model.hpp"

constexpr auto program = baton::transform(baton::tflite::read<model>, baton::default_passes);
baton::executor<program, baton::with_kernels<baton::portable_kernels>> net;
void run() { net.run(); }
END
status=0
printf '%-18s %-12s %14s\n' network compiler 'user seconds'
for network in efficientnet_b0 nasnet_mobile; do
  cmake -DINPUT=$work/$network.int8.tflite -DOUTPUT=$work/large/model.hpp -DNAME=model -P cmake/embed_file.cmake > /dev/null
  for compiler in g++ clang++-16 clang++-19; do
    command -v $compiler > /dev/null || continue
    if seconds=$($compiler -std=c++20 -fsyntax-only -Iinclude $work/large/main.cpp && times); then
      seconds=$(printf '%s\n' "$seconds" | awk 'NR == 2 { split($1, part, "[ms]"); printf "%.1f", 60 * part[1] + part[2] }')
    else
      seconds=failed status=1
    fi
    printf '%-18s %-12s %14s\n' $network $compiler "$seconds"
  done
done
exit $status
