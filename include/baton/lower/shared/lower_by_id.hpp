// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Preprocesses a program with a backend, and adds the result to the program as a lowered module (nodes that a backend's `preprocess` has
// compiled).
#pragma once

#include <baton/backend/backend.hpp>
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

/// Returns the debug handles `handles`, which must be ascending, and the folded handles of the nodes with these debug handles. The result
/// is ascending and has no duplicates. A debug handle is a number that identifies a node of the model. The folded handles of a node are the
/// debug handles of the nodes that were merged into it. Folded handles are added because backends report only the `debug_handle` of a node.
constexpr auto with_folded(const program_view& part, vector<std::int64_t> handles) -> vector<std::int64_t> {
  const auto count = handles.size();
  for (const auto& record : part.nodes) {
    if (record.folded_handles.size == 0) continue;
    if (std::find(handles.begin(), handles.begin() + count, std::int64_t{record.debug_handle}) == handles.begin() + count) continue;
    for (const auto folded : part.folded_handles(record)) handles.push_back(folded);
  }
  if (handles.size() == count) return handles;
  sort(handles.begin(), handles.end());
  handles.resize(static_cast<std::size_t>(std::unique(handles.begin(), handles.end()) - handles.begin()));
  return handles;
}

}  // namespace detail

/// Returns `original` with the backend's result `preprocessed` added as the last lowered module. Graph 0 is the original graph (the nodes
/// before `preprocess`) of the module. Processed bytes are the result of a backend's `preprocess`. With `source_bytes::kept`, packed
/// constants (`packed_constant`) are not yet part of the processed bytes; `computed_bytes` adds them later. Fails with `malformed_packing`
/// if a constant cannot be packed, or as `check_mapping` does.
constexpr auto with_lowered_module(const exported_program& original, std::string_view backend_id, const compile_specs& specs,
                                   const preprocess_result& preprocessed, source_bytes bytes = source_bytes::copied)
    -> result<exported_program> {
  if (auto why = preprocessed.packing.check(original)) {
    why.backend = join(backend_id);
    return why;
  }
  exported_program store = original;
  lowered_module_ref record;
  record.backend_id = own_bytes(store, backend_id);
  record.original = graph_id{0};
  record.compile_specs = own_compile_specs(store, specs);
  record.named_data = detail::add_named_data(store, preprocessed.named_data);
  record.info = own_bytes(store, view(preprocessed.delegate_info));
  record.scratch_bytes = preprocessed.scratch_bytes;
  vector<lowered_module_ref::mapping_entry> entries;
  for (const auto& entry : preprocessed.debug_handle_map) {
    const auto text = own_bytes(store, view(entry.text));
    const auto handles = add_to(store.integers, span<const std::int64_t>{detail::with_folded(original, entry.handles)});
    entries.push_back({entry.identifier, text, entry.is_text, handles});
  }
  // The processed bytes are added last, because they can be large. Each later growth of the byte pool, the array with the bytes of a
  // program, would copy them.
  if (preprocessed.packing.empty() || bytes == source_bytes::kept) {
    record.packing = add_to(store.integers, span<const std::int64_t>{preprocessed.packing.integers(original)});
    store.bytes.reserve(store.bytes.size() + preprocessed.processed_bytes.size());
    record.processed_bytes = own_bytes(store, view(preprocessed.processed_bytes));
  } else {
    record.processed_bytes = own_bytes(store, view(preprocessed.all_processed_bytes(original)));
  }
  record.debug_map = add_to(store.mappings, span<const lowered_module_ref::mapping_entry>{entries});
  store.delegates.push_back(record);
  if (auto why = check_mapping({store, last_delegate(store)})) return why;
  return store;
}

namespace detail {

/// Preprocesses a program with `Backend`, whose id is `id`, as `lower_by_id` does.
template <class Backend>
constexpr auto lower_with(const exported_program& part, std::string_view id, const compile_specs& specs, source_bytes bytes)
    -> result<exported_program> {
  result<preprocess_result> preprocessed = Backend::preprocess(part, specs);
  if (!preprocessed) {
    preprocessed.error.backend = join(id);
    return std::move(preprocessed.error);
  }
  return with_lowered_module(part, id, specs, preprocessed.value, bytes);
}

}  // namespace detail

/// Preprocesses a program with the backend whose id is `id`. Returns the program with the backend's result added as a lowered module. Fails
/// with `unknown_backend` if no backend has this id, and with `refused_part` if the program has an external constant. Also fails as
/// `with_lowered_module` or the backend does.
template <class... Backends>
constexpr auto lower_by_id(backend_list<Backends...> list, std::string_view id, const exported_program& part, const compile_specs& specs,
                           source_bytes bytes = source_bytes::copied) -> result<exported_program> {
  for (const auto& record : part.values) {
    // `extract` turns external constants into user inputs, so only a whole program can have an external constant. The call of such a
    // program has no argument for the constant.
    if (record.kind != value_kind::external_constant) continue;
    auto why = refuse_part("the pass external_weights removed the weight ", program_view(part).text(record.name),
                           "; lower the program without this pass, because backends contain weights");
    why.backend = join(id);
    return why;
  }
  result<exported_program> lowered;
  const bool is_known =
      list.with(id, [&](auto backend) { lowered = detail::lower_with<typename decltype(backend)::type>(part, id, specs, bytes); });
  if (!is_known) return list.unknown(id);
  return lowered;
}

}  // namespace baton
