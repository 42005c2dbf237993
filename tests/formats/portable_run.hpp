// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Applies the default passes and runs programs with the portable kernels, at run time. The functions are defined in
// portable_run_test.cpp, because the kernels take most of the compile time of these tests.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace formats {

/// Returns the result of the default passes.
auto legalized(const baton::program_view& program) -> baton::result<baton::exported_program>;

/// The bytes of an arena whose values are aligned to 16 bytes: without and with the scratch of the portable kernels.
struct arena_sizes {
  std::uint64_t values = 0;
  std::uint64_t with_scratch = 0;
};
/// Plans the memory of a program by the policy `no_overlap`. If a node has no kernel, its outputs have memory of their own, and its scratch
/// is not counted.
auto planned_arena(const baton::program_view& program) -> baton::result<arena_sizes>;

/// Called after each node with its record and a function that returns the memory of a value.
using memory_of_value = std::function<baton::span<char>(baton::value_id)>;
using after_node = std::function<void(const baton::node&, const memory_of_value&)>;

/// Executes a delegate call. Returns the reason if it fails, else "".
using delegate_execution =
    std::function<std::string(baton::delegate_id, const std::vector<baton::span<const char>>&, const std::vector<baton::span<char>>&)>;

/// Runs a program once with the portable kernels. `input` has the bytes of all inputs, one after another; `output` gets those of all
/// outputs. Returns the reason if a node has no kernel, else "".
auto run_portable(
    const baton::program_view& program, baton::span<const char> input, std::vector<char>& output,
    const after_node& after = [](const baton::node&, const memory_of_value&) {}, const delegate_execution& execute = {}) -> std::string;

}  // namespace formats
