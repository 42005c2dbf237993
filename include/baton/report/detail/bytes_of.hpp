// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The size of a value.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstdint>

namespace baton::report {

/// Returns the size of a value in bytes, or 0 if the size is unknown or `id` is `none<value_id>`.
constexpr auto bytes_of(const program_view& program, value_id id) -> std::uint64_t {
  if (id == none<value_id>) return 0;
  const auto bytes = byte_count(program[id].type, program.shape(id));
  return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

}  // namespace baton::report
