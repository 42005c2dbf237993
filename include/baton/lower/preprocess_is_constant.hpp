// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A check for use in a `static_assert`: the compiler's notes show where a `preprocess` is not a constant expression.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/partition/partitioner.hpp>

#include <utility>

namespace baton {

/// Calls a backend's `preprocess` for each part that a partitioner assigns to the backend, and returns true. A part is the nodes of a graph
/// that become one delegate. Use this function if `preprocess` is not a constant expression; the compiler then shows the location of the
/// error: `static_assert(baton::preprocess_is_constant<my_npu>(model, my_partitioner{}));`. Fails with the errors of `tag_program`, or with
/// `part_without_outputs`.
template <class Backend, partitioner Partitioner>
constexpr auto preprocess_is_constant(const program_view& program, const Partitioner& partitioner) -> bool {
  const auto tagged = value_or_raise(tag_program(thaw(program), partitioner));
  const program_view view = tagged;
  detail::part_cutter cutter(view, source_bytes::copied);
  for (const auto& boundary : boundaries_of(view, parts_of(view))) {
    if (view.text(view[boundary.id.tag].backend_id) != to_text(Backend::id)) continue;
    const auto cut = value_or_raise(detail::cut_step(cutter, view, boundary));
    static_cast<void>(Backend::preprocess(cut.program, cut.specs));
  }
  return true;
}

}  // namespace baton
