// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Has a backend preprocess a program, and takes in what it made.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/check_mapping.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/program_named_data.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// Debug handles in ascending order, and with each those that passes folded into its node: backends say the first only.
constexpr auto with_folded(const program_view& part, vector<std::int64_t> handles) -> vector<std::int64_t> {
  const auto said = handles.size();
  for (const auto& record : part.nodes) {
    if (record.folded_handles.size == 0) continue;
    if (std::find(handles.begin(), handles.begin() + said, std::int64_t{record.debug_handle}) == handles.begin() + said) continue;
    for (const auto folded : part.folded_handles(record)) handles.push_back(folded);
  }
  if (handles.size() == said) return handles;
  sort(handles.begin(), handles.end());
  handles.resize(static_cast<std::size_t>(std::unique(handles.begin(), handles.end()) - handles.begin()));
  return handles;
}

}  // namespace detail

/// The program with what a backend made of it beside it: its last lowered module, whose original is graph 0. With `source_bytes::kept`, a
/// blob with packed constants is not computed: `computed_blobs` does it.
/// Errors: `malformed_packing`, `duplicate_identifier`, `foreign_debug_handle`.
constexpr auto with_lowered_module(const exported_program& original, std::string_view backend_id, const compile_specs& specs,
                                   const preprocess_result& made, source_bytes bytes = source_bytes::copied) -> result<exported_program> {
  if (auto why = made.packing.check(original)) {
    why.backend = join(backend_id);
    return why;
  }
  exported_program store = original;
  lowered_module_ref record;
  record.backend_id = own_bytes(store, backend_id);
  record.original = graph_id{0};
  record.compile_specs = own_compile_specs(store, specs);
  record.named_data = detail::take_named_data(store, made.named_data);
  record.info = own_bytes(store, view(made.delegate_info));
  record.scratch_bytes = made.scratch_bytes;
  vector<lowered_module_ref::mapping_entry> entries;
  for (const auto& entry : made.debug_handle_map) {
    const auto text = own_bytes(store, view(entry.text));
    const auto handles = add_to(store.integers, span<const std::int64_t>{detail::with_folded(original, entry.handles)});
    entries.push_back({entry.identifier, text, entry.is_text, handles});
  }
  // Last, so that nothing makes its bytes move again.
  if (made.packing.empty() || bytes == source_bytes::kept) {
    record.packing = add_to(store.integers, span<const std::int64_t>{made.packing.integers(original)});
    store.bytes.reserve(store.bytes.size() + made.processed_bytes.size());
    record.processed_bytes = own_bytes(store, view(made.processed_bytes));
  } else {
    record.processed_bytes = own_bytes(store, view(made.blob(original)));
  }
  record.debug_map = add_to(store.mappings, span<const lowered_module_ref::mapping_entry>{entries});
  store.delegates.push_back(record);
  if (auto why = check_mapping({store, last_delegate(store)})) return why;
  return store;
}

/// Has the backend of that id preprocess a program. Errors: `unknown_backend`, those of `with_lowered_module`, and the backend's own.
template <class... Backends>
constexpr auto lower_by_id(backend_list<Backends...> list, std::string_view id, const exported_program& part, const compile_specs& specs,
                           source_bytes bytes = source_bytes::copied) -> result<exported_program> {
  result<exported_program> lowered;
  const bool found = list.with(id, [&](auto backend) {
    result<preprocess_result> made = decltype(backend)::type::preprocess(part, specs);
    if (made) {
      lowered = with_lowered_module(part, id, specs, made.value, bytes);
    } else {
      lowered.error = std::move(made.error);
      lowered.error.backend = join(id);
    }
  });
  if (!found) return list.unknown(id);
  return lowered;
}

}  // namespace baton
