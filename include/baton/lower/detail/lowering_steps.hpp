// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The steps of lowering: tag the program (assign nodes to parts), extract and preprocess the parts, replace the parts by delegate calls. A
// part is the nodes of a graph that become one delegate. The steps are the same at compile time and at run time, and for one program and
// for methods. A single program is treated as a method without a name.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/detail/assemble.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/method_name.hpp>
#include <baton/lower/program_named_data.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/lower/shared/extract.hpp>
#include <baton/lower/shared/lower_by_id.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Whether a single program or several methods are lowered. For methods, parts are preprocessed batch by batch, and the root graph of each
/// program with delegates is named after its method.
enum class lowered_as : bool { program, methods };

/// Returns `why` with the name of a method added. If a single program is lowered, the name is empty.
constexpr auto in_method(failure why, std::string_view method) -> failure {
  if (why) why.method = join(method);
  return why;
}

/// Tags a program with a partitioner, splits constants that several parts use, and checks the parts. `source` is the partitioner, or a
/// lambda that returns the partitioner. Fails as `verify`, `tag_program` and `check_parts` do, and with `unknown_backend` if the backend of
/// a part is not in the list.
template <class... Backends, class Source>
constexpr auto partition_step(backend_list<Backends...> list, exported_program program, const Source& source, validation checks)
    -> result<exported_program> {
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  auto tagged = tag_program(std::move(program), partitioner_of(source), checks);
  if (!tagged) return tagged;
  for (const auto part : parts_of(tagged.value)) {
    const auto id = program_view(tagged.value).text(tagged.value[part.tag].backend_id);
    if (!list.with(id, [](auto) {})) return with_tag_of(list.unknown(id), tagged.value, part.tag);
  }
  tagged.value = split_shared_constants(std::move(tagged.value));
  if (auto why = check_parts(tagged.value)) return why;
  return tagged;
}

/// A part that has been extracted as a program, and the compile specs (key-value pairs) for the backend's `preprocess`.
struct cut_part {
  exported_program program;
  compile_specs specs;
};

/// Extracts a part and its compile specs. Fails as `extract` does.
constexpr auto cut_step(part_cutter& cutter, const program_view& tagged, const part_boundary& boundary) -> result<cut_part> {
  auto part = cutter.cut(boundary);
  if (!part) return std::move(part.error);
  cut_part cut{std::move(part.value), {}};
  const auto specs = tagged[boundary.id.tag].compile_specs;
  for (const auto& spec : tagged.compile_specs.subspan(specs.first, specs.size))
    cut.specs.emplace_back(tagged.text(spec.key), tagged.text(spec.value));
  return cut;
}

/// Extracts the parts `members` in order, and calls `f(member, cut_part)` for each part. Stops at the first part whose extraction or call
/// fails. The members of a method should be contiguous, because tables of O(program size) are computed for each run of consecutive members
/// with the same method. The members of a graph must be contiguous, as `boundaries_of` requires. Fails as `extract` or `f` does; the
/// failure names the method.
template <class F>
constexpr auto for_each_cut(span<const tagged_method> tagged, span<const batch_member> members, source_bytes bytes, F f) -> failure {
  failure why;
  for (std::size_t i = 0; i < members.size() && !why;) {
    const auto first = i;
    const auto& [name, program] = tagged[members[first].method];
    vector<part_id> parts;
    for (; i < members.size() && members[i].method == members[first].method; ++i) parts.push_back(members[i].id);
    const auto boundaries = boundaries_of(program, parts);
    part_cutter cutter(program, bytes);
    for (std::size_t p = 0; p < parts.size() && !why; ++p) {
      auto cut = cut_step(cutter, program, boundaries[p]);
      why = std::move(cut.error);
      if (!why) why = f(members[first + p], std::move(cut.value));
      if (why) why = in_method(std::move(why), name);
    }
  }
  return why;
}

/// Lowers parts one by one, and returns a program for each part. Fails as `extract` or `lower_by_id` does. The failure names the tag and
/// the method.
template <class... Backends>
constexpr auto lower_each(backend_list<Backends...> list, span<const tagged_method> tagged, span<const batch_member> members,
                          source_bytes bytes) -> result<vector<exported_program>> {
  result<vector<exported_program>> lowered;
  lowered.error = for_each_cut(tagged, members, bytes, [&](const batch_member& part, const cut_part& cut) -> failure {
    const auto& program = tagged[part.method].program;
    auto lowered_part = lower_by_id(list, program.text(program[part.id.tag].backend_id), cut.program, cut.specs, bytes);
    if (!lowered_part) return with_tag_of(std::move(lowered_part.error), program, part.id.tag);
    lowered.value.push_back(std::move(lowered_part.value));
    return {};
  });
  return lowered;
}

/// The parts of a batch and their compile specs, by method.
struct cut_batch {
  by_method<exported_program> parts;
  by_method<compile_specs> specs;
};

/// Extracts the parts of a batch. Fails as `extract` does; the failure names the method.
constexpr auto cut_batch_step(span<const tagged_method> tagged, const batch& selected, source_bytes bytes) -> result<cut_batch> {
  result<cut_batch> cut;
  cut.error = for_each_cut(tagged, selected.members, bytes, [&](const batch_member& part, cut_part extracted) -> failure {
    const auto& method = tagged[part.method].name;
    cut.value.parts[method].push_back(std::move(extracted.program));
    cut.value.specs[method].push_back(std::move(extracted.specs));
    return {};
  });
  return cut;
}

/// Lowers all parts of a batch with one call of `preprocess_multimethod`. The returned programs are in the order of the batch's members.
/// Fails as `extract`, `check_results`, `with_lowered_module` or the backend does.
template <batch_backend Backend>
constexpr auto lower_batch(span<const tagged_method> tagged, const batch& selected, source_bytes bytes)
    -> result<vector<exported_program>> {
  const auto cut = cut_batch_step(tagged, selected, bytes);
  if (!cut) return cut.error;
  const auto& [parts, specs] = cut.value;
  result<by_method<preprocess_result>> preprocessed = Backend::preprocess_multimethod(parts, specs);
  if (preprocessed) preprocessed.error = check_results(parts, preprocessed.value);
  result<vector<exported_program>> lowered;
  lowered.error = std::move(preprocessed.error);
  for (std::size_t m = 0; lowered && m < parts.entries.size(); ++m) {
    const auto& [method, programs] = parts.entries[m];
    const auto& results = *preprocessed.value.find(view(method));
    for (std::size_t i = 0; lowered && i < programs.size(); ++i) {
      auto lowered_part = with_lowered_module(programs[i], selected.backend_id, specs.entries[m].parts[i], results[i], bytes);
      lowered.error = in_method(std::move(lowered_part.error), view(method));
      lowered.value.push_back(std::move(lowered_part.value));
    }
  }
  if (!lowered) lowered.error.backend = join(selected.backend_id);
  return lowered;
}

/// Lowers a batch. Calls `preprocess_multimethod` once if the backend has this function. Otherwise, calls `preprocess` once for each part.
template <class... Backends>
constexpr auto batch_step(backend_list<Backends...> list, span<const tagged_method> tagged, const batch& selected, source_bytes bytes)
    -> result<vector<exported_program>> {
  result<vector<exported_program>> lowered;
  list.with(selected.backend_id, [&](auto backend) {
    using backend_type = typename decltype(backend)::type;
    if constexpr (batch_backend<backend_type>) {
      lowered = lower_batch<backend_type>(tagged, selected, bytes);
    } else {
      lowered = lower_each(list, tagged, selected.members, bytes);
    }
  });
  return lowered;
}

/// Returns one program whose nodes call the lowered modules of a batch, in the order of the batch's members. A lowered module is the nodes
/// that a backend's `preprocess` has compiled.
constexpr auto merged(span<const exported_program> lowered) -> exported_program {
  program_builder to;
  for (const auto& part : lowered) {
    program_copier copier(part, to);
    auto call = to.make_node("", call_delegate.text);
    call.delegate = copier.copy_delegate(part, last_delegate(part));
    to.enter(graph_id{0});
    to.add_node(call, {}, {});
  }
  return to.finish();
}

/// Returns the program with each part replaced by a delegate call. If `kind` is `methods`, the root graph is named after the method. Fails
/// as `check_named_data` or `verify` does; the failure names the method.
constexpr auto assembly_step(lowered_as kind, const tagged_method& tagged, span<const lowered_module_view> lowered, source_bytes bytes,
                             validation checks) -> result<exported_program> {
  auto program = assemble(tagged.program, parts_of(tagged.program), lowered, bytes);
  if (auto why = check_named_data(program)) return in_method(std::move(why), tagged.name);
  if (checks == validation::on) {
    if (auto why = verify(program)) return in_method(std::move(why), tagged.name);
  }
  if (kind == lowered_as::methods) set_root_graph_name(program, tagged.name);
  return program;
}

/// Fails with `conflicting_named_data` if a key has different bytes in two methods; the failure names the second method.
constexpr auto check_named_data_of_methods(span<const tagged_method> methods) -> failure {
  named_data_store merged;
  for (const auto& [name, program] : methods) {
    if (auto why = merge_named_data(merged, program, reach::branches)) return in_method(std::move(why), name);
  }
  return {};
}

}  // namespace baton::detail
