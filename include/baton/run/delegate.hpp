// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a backend's `execute` is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// The call of a lowered module. Arguments stand in the order of the part's user inputs, outputs in that of its user outputs; sizes in
/// bytes. Constants among the arguments lie in read-only memory.
struct delegate_call {
  std::span<const char> blob;
  std::span<const std::span<const char>> inputs;
  std::span<const std::span<char>> outputs;
  std::span<char> scratch;  ///< as large as `preprocess` asked for
};

/// Whether a backend runs here: `static void execute(const baton::delegate_call&)`.
template <class Backend>
concept executable_backend = requires(const delegate_call& call) { Backend::execute(call); };

}  // namespace baton
