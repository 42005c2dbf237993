// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a value is a constant whose bytes a pass may read and replace.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstdint>

namespace baton::detail {

/// True if a value is an immutable constant of type `type`, and the program contains all bytes of the constant. False for a constant that
/// is assigned to a delegate (has a tag).
constexpr auto is_plain_constant(const program_view& program, value_id id, dtype type) -> bool {
  const auto& record = program[id];
  return is_owned_data(record.kind) && record.kind != value_kind::mutable_buffer && record.tag == none<tag_id> && record.type == type &&
         record.data.size != 0 && byte_count(type, program.shape(id)) == std::int64_t{record.data.size};
}

}  // namespace baton::detail
