// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The interface of the model for main(): its tensors as bytes, an inference, and sizes. Includes nothing of Baton, so that changes of the
// firmware do not recompile inference.cpp, which contains the model and its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace inference {

auto input_count() -> std::size_t;
auto output_count() -> std::size_t;
/// Returns the memory of input `i`. Fill it before each `run`, because `run` may overwrite it.
auto input(std::size_t i) -> std::span<char>;
/// Returns the bytes of output `i`, which are valid until the next `run`.
auto output(std::size_t i) -> std::span<const char>;

/// Runs one inference.
void run();

/// With SLICES: returns the memory in which the caller prepares input `i` of the next inference.
auto next_input(std::size_t i) -> std::span<char>;
/// With SLICES: copies the prepared inputs, and starts an inference in slices.
void start();
/// With SLICES: runs the next slice. Returns true if slices remain.
auto step() -> bool;

auto arena_bytes() -> std::size_t;
/// Returns the lower bound of the arena, in bytes. If the policy overlaps values, it is valid for all plans, otherwise for plans without
/// overlap.
auto min_arena_bytes() -> std::size_t;

/// Prints the instructions of each node in all runs, in run order. Prints nothing if the image is compiled without PROFILE.
void print_profile();

}  // namespace inference
