// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The steps of lowering, the same for both times: tag, cut and preprocess each part, put calls in the places of parts.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/validation.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/check_parts.hpp>
#include <baton/lower/constant_sharing.hpp>
#include <baton/lower/detail/assemble.hpp>
#include <baton/lower/detail/lower_by_id.hpp>
#include <baton/lower/extract.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/program_named_data.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/tagging.hpp>

#include <span>
#include <utility>

namespace baton {

namespace detail {

/// A program with its parts tagged and checked, its constants shared; every part has a backend in the list. Errors: those of `verify`,
/// `tag_program` and `check_parts`, `unknown_backend`.
template <class... Backends, class Partitioner>
constexpr auto partition_step(backend_list<Backends...> list, const exported_program& program, const Partitioner& partitioner,
                              validation checks) -> result<exported_program> {
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  auto tagged = tag_program(program, partitioner, checks);
  if (!tagged) return tagged;
  for (const auto part : parts_of(tagged.value)) {
    const auto id = program_view(tagged.value).text(tagged.value[part.tag].backend_id);
    if (!with_backend(list, id, [](auto) {})) return with_tag_of(unknown_backend(list, id), tagged.value, part.tag);
  }
  tagged.value = share_constants(std::move(tagged.value));
  if (auto why = check_parts(tagged.value)) return why;
  return tagged;
}

/// A part on its own, and what its backend is told.
struct cut_part {
  exported_program program;
  compile_specs specs;
};

/// Errors: `part_without_outputs`.
constexpr auto cut_step(part_cutter& cutter, const program_view& tagged, const part_outline& border) -> result<cut_part> {
  auto part = cutter.cut(border);
  if (!part) return std::move(part.error);
  cut_part cut{std::move(part.value), {}};
  const auto run = tagged[border.id.tag].compile_specs;
  for (const auto& spec : tagged.compile_specs.subspan(run.first, run.size))
    cut.specs.emplace_back(tagged.text(spec.key), tagged.text(spec.value));
  return cut;
}

/// What its backend makes of a part; a failure names the tag.
template <class... Backends>
constexpr auto preprocess_step(backend_list<Backends...> list, const program_view& tagged, tag_id tag, const result<cut_part>& cut)
    -> result<exported_program> {
  if (!cut) return cut.error;
  auto lowered = lower_by_id(list, tagged.text(tagged[tag].backend_id), cut.value.program, cut.value.specs);
  if (!lowered) return with_tag_of(std::move(lowered.error), tagged, tag);
  return lowered;
}

/// Cuts out a part, and has its backend preprocess it.
template <class... Backends>
constexpr auto part_step(backend_list<Backends...> list, const program_view& tagged, part_id id, source_bytes bytes)
    -> result<exported_program> {
  part_cutter cutter(tagged, bytes);
  return preprocess_step(list, tagged, id.tag, cut_step(cutter, tagged, outline(tagged, id)));
}

/// The program with a delegate call in the place of each part. Errors: `conflicting_named_data`, those of `verify`.
constexpr auto assembly_step(const program_view& tagged, std::span<const lowered_module_view> lowered, source_bytes bytes,
                             validation checks) -> result<exported_program> {
  const auto parts = parts_of(tagged);
  auto program = assemble(tagged, parts, lowered, bytes);
  if (auto why = check_named_data(program)) return why;
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  return program;
}

/// All steps, at run time or within one constant.
template <class... Backends, class Partitioner>
constexpr auto lower_program(backend_list<Backends...> list, const exported_program& program, const Partitioner& partitioner,
                             validation checks) -> result<exported_program> {
  const auto tagged = partition_step(list, program, partitioner, checks);
  if (!tagged) return tagged;
  vector<exported_program> lowered;
  const auto parts = parts_of(tagged.value);
  part_cutter cutter(tagged.value, source_bytes::copied);
  for (const auto& border : outlines(tagged.value, parts)) {
    auto part = preprocess_step(list, tagged.value, border.id.tag, cut_step(cutter, tagged.value, border));
    if (!part) return part;
    lowered.push_back(std::move(part.value));
  }
  vector<lowered_module_view> modules;
  for (const auto& part : lowered) modules.emplace_back(part, last_delegate(part));
  return assembly_step(tagged.value, modules, source_bytes::copied, checks);
}

}  // namespace detail

}  // namespace baton
