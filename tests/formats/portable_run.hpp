// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Applies the default passes and runs programs with the portable kernels, at run time. The functions are defined in
// portable_run_test.cpp, because the kernels take most of the compile time of these tests.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace formats {

/// Returns the result of the default passes.
auto legalized(const baton::program_view& program) -> baton::result<baton::exported_program>;

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
