// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The named data (bytes that delegates look up by key) of programs and methods, merged over all delegates.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/methods.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Adds the entries of a store to a program's pools (flat arrays), and returns the range of the added entries. Bytes that the store views
/// but does not own are not copied. Entries that share bytes in the store also share bytes in the program.
constexpr auto add_named_data(exported_program& program, const named_data_store& store) -> range {
  vector<byte_ref> buffers;
  for (std::size_t i = 0; i < store.buffer_count(); ++i) {
    buffers.push_back(store.is_view(i) ? program_builder::view(store.bytes(i)) : own_bytes(program, store.bytes(i)));
  }
  vector<named_data_ref> entries;
  for (const auto& entry : store.entries()) {
    named_data_ref record;
    record.key = own_bytes(program, view(entry.key));
    record.data = buffers[entry.buffer];
    record.external_tag = own_bytes(program, view(entry.external_tag));
    record.alignment = entry.alignment;
    record.is_view = store.is_view(entry.buffer);
    if (entry.layout) {
      record.is_tensor = true;
      record.type = entry.layout->type;
      record.sizes = add_to(program.integers, span<const std::int64_t>{entry.layout->sizes});
      record.dim_order = add_to(program.integers, span<const std::int64_t>{entry.layout->dim_order});
    }
    entries.push_back(record);
  }
  return add_to(program.named_data, span<const named_data_ref>{entries});
}

/// Adds the named data of a lowered module (nodes that a backend's `preprocess` has compiled) to a store. The added entries are views of
/// the module's program. Fails as `named_data_store::add_view` does.
constexpr auto merge_named_data(named_data_store& store, const lowered_module_view& module) -> failure {
  const auto& program = module.program();
  const auto list = [&](range integers) {
    const auto numbers = program.integer_list(integers);
    return vector<std::int64_t>(numbers.begin(), numbers.end());
  };
  for (const auto& entry : module.named_data()) {
    named_data_options how{entry.alignment, program.text(entry.external_tag), {}};
    if (entry.is_tensor) how.layout = tensor_layout{entry.type, list(entry.sizes), list(entry.dim_order)};
    auto why = store.add_view(program.text(entry.key), program.text(entry.data), how);
    if (!why) continue;
    why.backend = join(module.backend_id());
    return why;
  }
  return {};
}

/// Adds to a store the named data of every lowered module that a program calls. `how_far` states whether the delegates in subgraphs, and
/// the delegates within lowered modules, are included. Fails as the overload above does.
constexpr auto merge_named_data(named_data_store& store, const program_view& program, reach how_far) -> failure {
  if (program.named_data.empty()) return {};
  for (const auto& module : delegates(program, graph_id{0}, how_far)) {
    if (auto why = merge_named_data(store, module)) return why;
  }
  return {};
}

/// Returns the named data of all delegates of one program or of several methods, including delegates in branches. `reach::delegates` also
/// includes delegates within lowered modules. The entries are views, so the programs must outlive the store. A key that several delegates
/// use becomes one entry. Fails with `conflicting_named_data` if two delegates have different bytes for a key; the failure names the
/// backend of the second delegate.
constexpr auto merged_named_data(span<const program_view> methods, reach how_far = reach::branches) -> result<named_data_store> {
  named_data_store store;
  for (const auto& method : methods) {
    if (auto why = merge_named_data(store, method, how_far)) return why;
  }
  return store;
}

/// Fails with `conflicting_named_data` if two delegates of a program have different bytes for a key.
constexpr auto check_named_data(const program_view& program) -> failure { return merged_named_data({&program, 1}).error; }

}  // namespace detail

/// Returns the named data of all delegates of a program, as views of the program. Raises `conflicting_named_data` if two delegates have
/// different bytes for a key; lowering does not produce such programs.
constexpr auto named_data(const program_view& program, reach how_far = reach::branches) -> named_data_store {
  return value_or_raise(detail::merged_named_data({&program, 1}, how_far));
}

/// Returns the named data of all delegates of all methods, as views of the methods. A key that several methods use becomes one entry.
/// Raises `conflicting_named_data` if two delegates have different bytes for a key.
constexpr auto named_data(const exported_methods& methods, reach how_far = reach::branches) -> named_data_store {
  vector<program_view> programs;
  for (const auto& each : methods) programs.push_back(each.program);
  return value_or_raise(detail::merged_named_data(programs, how_far));
}
template <class... Names, class... Stages>
constexpr auto named_data(static_methods<static_method<Names, Stages>...>, reach how_far = reach::branches) -> named_data_store {
  const std::array<program_view, sizeof...(Stages)> programs{static_program<Stages>::value()...};
  return value_or_raise(detail::merged_named_data(programs, how_far));
}

}  // namespace baton
