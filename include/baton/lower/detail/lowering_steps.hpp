// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The steps of lowering, the same for both times, for one program and for methods: tag, cut and preprocess parts, put calls in the places
// of parts. One program is one method without a name, whose parts are preprocessed one by one.
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

/// What is lowered: methods see their backends together, batch by batch, and give their programs their names.
enum class lowered_as : bool { program, methods };

/// The failure, said of a method; of a program that is lowered alone it says nothing.
constexpr auto in_method(failure why, std::string_view method) -> failure {
  if (why) why.method = join(method);
  return why;
}

/// A program with its parts tagged and checked, its constants shared; every part has a backend in the list. Errors: those of `verify`,
/// `tag_program` and `check_parts`, `unknown_backend`.
template <class... Backends, class Given>
constexpr auto partition_step(backend_list<Backends...> list, exported_program program, const Given& given, validation checks)
    -> result<exported_program> {
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  auto tagged = tag_program(std::move(program), partitioner_of(given), checks);
  if (!tagged) return tagged;
  for (const auto part : parts_of(tagged.value)) {
    const auto id = program_view(tagged.value).text(tagged.value[part.tag].backend_id);
    if (!list.with(id, [](auto) {})) return with_tag_of(list.unknown(id), tagged.value, part.tag);
  }
  tagged.value = share_constants(std::move(tagged.value));
  if (auto why = check_parts(tagged.value)) return why;
  return tagged;
}

/// A part on its own, and the compile specs for its backend.
struct cut_part {
  exported_program program;
  compile_specs specs;
};

/// Errors: `part_without_outputs`.
constexpr auto cut_step(part_cutter& cutter, const program_view& tagged, const part_boundary& border) -> result<cut_part> {
  auto part = cutter.cut(border);
  if (!part) return std::move(part.error);
  cut_part cut{std::move(part.value), {}};
  const auto run = tagged[border.id.tag].compile_specs;
  for (const auto& spec : tagged.compile_specs.subspan(run.first, run.size))
    cut.specs.emplace_back(tagged.text(spec.key), tagged.text(spec.value));
  return cut;
}

/// Calls `f` with each of some parts and what is cut out, in their order, until one fails. The parts of a method stand side by side, and
/// among them those of a graph; what is of a program's size is made once a method. Errors: `part_without_outputs`, those of `f`; they name
/// the method.
template <class F>
constexpr auto for_each_cut(span<const tagged_method> tagged, span<const batch_member> members, source_bytes bytes, F f) -> failure {
  failure why;
  for (std::size_t i = 0; i < members.size() && !why;) {
    const auto first = i;
    const auto& [name, program] = tagged[members[first].method];
    vector<part_id> parts;
    for (; i < members.size() && members[i].method == members[first].method; ++i) parts.push_back(members[i].id);
    const auto borders = boundaries_of(program, parts);
    part_cutter cutter(program, bytes);
    for (std::size_t p = 0; p < parts.size() && !why; ++p) {
      auto cut = cut_step(cutter, program, borders[p]);
      why = std::move(cut.error);
      if (!why) why = f(members[first + p], std::move(cut.value));
      if (why) why = in_method(std::move(why), name);
    }
  }
  return why;
}

/// What their backends make of parts, one by one. Errors: `part_without_outputs`, those of `lower_by_id`; they name tag and method.
template <class... Backends>
constexpr auto lower_each(backend_list<Backends...> list, span<const tagged_method> tagged, span<const batch_member> members,
                          source_bytes bytes) -> result<vector<exported_program>> {
  result<vector<exported_program>> lowered;
  lowered.error = for_each_cut(tagged, members, bytes, [&](const batch_member& part, const cut_part& cut) -> failure {
    const auto& program = tagged[part.method].program;
    auto made = lower_by_id(list, program.text(program[part.id.tag].backend_id), cut.program, cut.specs, bytes);
    if (!made) return with_tag_of(std::move(made.error), program, part.id.tag);
    lowered.value.push_back(std::move(made.value));
    return {};
  });
  return lowered;
}

/// The parts of a batch and their compile specs, by method.
struct cut_batch {
  by_method<exported_program> parts;
  by_method<compile_specs> specs;
};

/// Errors: `part_without_outputs`, which names the method.
constexpr auto cut_batch_step(span<const tagged_method> tagged, const batch& of, source_bytes bytes) -> result<cut_batch> {
  result<cut_batch> cut;
  cut.error = for_each_cut(tagged, of.members, bytes, [&](const batch_member& part, cut_part one) -> failure {
    const auto& method = tagged[part.method].name;
    cut.value.parts[method].push_back(std::move(one.program));
    cut.value.specs[method].push_back(std::move(one.specs));
    return {};
  });
  return cut;
}

/// What a backend makes of the parts of a batch at once, in the order of its members. Errors: `part_without_outputs`, `unmatched_results`,
/// those of `with_lowered_module`, and the backend's own.
template <batch_backend Backend>
constexpr auto lower_at_once(span<const tagged_method> tagged, const batch& of, source_bytes bytes) -> result<vector<exported_program>> {
  const auto cut = cut_batch_step(tagged, of, bytes);
  if (!cut) return cut.error;
  const auto& [parts, specs] = cut.value;
  result<by_method<preprocess_result>> made = Backend::preprocess_multimethod(parts, specs);
  if (made) made.error = check_results(parts, made.value);
  result<vector<exported_program>> lowered;
  lowered.error = std::move(made.error);
  for (std::size_t m = 0; lowered && m < parts.entries.size(); ++m) {
    const auto& [method, programs] = parts.entries[m];
    const auto& results = *made.value.find(view(method));
    for (std::size_t i = 0; lowered && i < programs.size(); ++i) {
      auto one = with_lowered_module(programs[i], of.backend_id, specs.entries[m].parts[i], results[i], bytes);
      lowered.error = in_method(std::move(one.error), view(method));
      lowered.value.push_back(std::move(one.value));
    }
  }
  if (!lowered) lowered.error.backend = join(of.backend_id);
  return lowered;
}

/// Has its backend preprocess a batch: at once, or part by part where the backend cannot.
template <class... Backends>
constexpr auto batch_step(backend_list<Backends...> list, span<const tagged_method> tagged, const batch& of, source_bytes bytes)
    -> result<vector<exported_program>> {
  result<vector<exported_program>> lowered;
  list.with(of.backend_id, [&](auto backend) {
    using backend_type = typename decltype(backend)::type;
    if constexpr (batch_backend<backend_type>) {
      lowered = lower_at_once<backend_type>(tagged, of, bytes);
    } else {
      lowered = lower_each(list, tagged, of.members, bytes);
    }
  });
  return lowered;
}

/// What came out of a batch as one program, whose nodes call the lowered modules in the order of the batch's members.
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

/// The program with a delegate call in place of each part, under its method's name. Errors: `conflicting_named_data`, those of
/// `verify`; they name the method.
constexpr auto assembly_step(lowered_as what, const tagged_method& tagged, span<const lowered_module_view> lowered, source_bytes bytes,
                             validation checks) -> result<exported_program> {
  auto program = assemble(tagged.program, parts_of(tagged.program), lowered, bytes);
  if (auto why = check_named_data(program)) return in_method(std::move(why), tagged.name);
  if (checks == validation::on) {
    if (auto why = verify(program)) return in_method(std::move(why), tagged.name);
  }
  if (what == lowered_as::methods) name_method(program, tagged.name);
  return program;
}

/// Whether a key means the same bytes in all methods. Errors: `conflicting_named_data`, with the method that has other bytes than one
/// before it.
constexpr auto check_named_data_of_methods(span<const tagged_method> methods) -> failure {
  named_data_store merged;
  for (const auto& [name, program] : methods) {
    if (auto why = merge_named_data(merged, program, reach::branches)) return in_method(std::move(why), name);
  }
  return {};
}

}  // namespace baton::detail
