// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What main() sees of the model: its tensors as bytes, a run, its sizes. inference.cpp, which has the model and its kernels, is compiled
// once; the rest of a firmware again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace inference {

auto input_count() -> std::size_t;
auto output_count() -> std::size_t;
/// To be filled before every run, which may write over it.
auto input(std::size_t i) -> std::span<char>;
/// Valid until the next run.
auto output(std::size_t i) -> std::span<const char>;

void run();

auto arena_bytes() -> std::size_t;
/// No plan without overlap needs less; or none at all, under a policy that overlaps.
auto min_arena_bytes() -> std::size_t;

/// The instructions of all runs by node, in the order in which nodes run; of an image that is not built to tell (PROFILE), nothing.
void print_profile();

}  // namespace inference
