// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Puts records, bytes and compile specs into a program's pools.
#pragma once

#include <baton/core/compile_specs.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// Appends records to a pool and says where they stand.
template <class T>
constexpr auto add_to(vector<T>& pool, span<const T> records) -> range {
  const range run{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(records.size())};
  pool.insert(pool.end(), records.data(), records.data() + records.size());
  return run;
}
/// Appends text or bytes to a program's own pool.
constexpr auto own_bytes(exported_program& program, std::string_view text) -> byte_ref {
  const auto first = program.bytes.size();
  program.bytes.insert(program.bytes.end(), text.data(), text.data() + text.size());
  return {nullptr, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(text.size())};
}

/// Puts compile specs into a program's pools.
constexpr auto own_compile_specs(exported_program& program, const compile_specs& specs) -> range {
  const range run{static_cast<std::uint32_t>(program.compile_specs.size()), static_cast<std::uint32_t>(specs.size())};
  for (const auto& spec : specs) {
    const auto key = own_bytes(program, view(spec.key));
    program.compile_specs.push_back({key, own_bytes(program, view(spec.value))});
  }
  return run;
}

}  // namespace baton
