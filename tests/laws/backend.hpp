// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of backends for `preprocess`, at compile time or at run time. Each function returns true if a backend keeps a law.
// laws/delegate.hpp has the laws of `execute`. Users include this header as <baton/laws/backend.hpp> (docs/backend.md).
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/lower/shared/extract.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace laws::backend {

/// The debug handle map has only handles of the part's nodes, in ascending order in each entry.
template <baton::backend Model>
constexpr auto debug_handles_are_valid(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  const baton::result<baton::preprocess_result> processed = Model::preprocess(part, specs);
  for (const auto& entry : processed.value.debug_handle_map) {
    for (std::size_t i = 0; i < entry.handles.size(); ++i) {
      if (i > 0 && entry.handles[i - 1] >= entry.handles[i]) return false;
      const auto is_it = [&](const baton::node& candidate) { return candidate.debug_handle == entry.handles[i]; };
      if (std::none_of(part.nodes.begin(), part.nodes.end(), is_it)) return false;
    }
  }
  return true;
}

/// A refusal names its rule and has a reason.
template <baton::backend Model>
constexpr auto failure_has_reason(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  const baton::result<baton::preprocess_result> processed = Model::preprocess(part, specs);
  return processed || (processed.error.rule.starts_with("baton ") && !processed.error.reason.empty());
}

/// For equal parts and specs, the processed bytes are equal, and so are the sizes of scratch.
template <baton::backend Model>
constexpr auto preprocess_is_deterministic(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  const baton::result<baton::preprocess_result> once = Model::preprocess(part, specs);
  const baton::result<baton::preprocess_result> again = Model::preprocess(part, specs);
  return static_cast<bool>(once) == static_cast<bool>(again) &&
         once.value.all_processed_bytes(part) == again.value.all_processed_bytes(part) &&
         once.value.scratch_bytes == again.value.scratch_bytes;
}

template <baton::backend Model>
constexpr auto all(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  return debug_handles_are_valid<Model>(part, specs) && failure_has_reason<Model>(part, specs) &&
         preprocess_is_deterministic<Model>(part, specs);
}

/// The owner of the constants of a part with one node: the enclosing program (`program`) or the part (`part`).
enum class constant_owner : bool { program, part };

/// Assigns one node to a backend.
template <baton::backend Model, constant_owner Owner = constant_owner::program>
struct one_node {
  baton::node_id id;

  constexpr auto partition(const baton::program_view& program) const -> baton::partition_result {
    baton::partition_result tagged{program};
    tagged.tag_node(id, tagged.add_tag("alone", baton::delegation_spec{baton::to_text(Model::id)}));
    if (Owner == constant_owner::part) baton::tag_constant_data(tagged, program);
    return tagged;
  }
};

/// The backend accepts every part that a partitioner forms of a program. Parts without outputs are ignored.
template <baton::backend Model, baton::partitioner Partitioner>
constexpr auto accepts_parts(const baton::exported_program& program, const Partitioner& partitioner) -> bool {
  auto tagged = baton::tag_program(program, partitioner);
  if (!tagged) return false;
  const auto owner = baton::split_shared_constants(std::move(tagged.value));
  const auto parts = baton::parts_of(owner);
  for (const auto& boundary : baton::boundaries_of(owner, parts)) {
    const auto part = baton::extract(owner, boundary);
    if (!part) continue;
    const baton::result<baton::preprocess_result> processed = Model::preprocess(part.value, {});
    if (!processed) return false;
  }
  return true;
}

/// A supported node compiles. The backend accepts every node that a support accepts as a separate part, also in branches and loops. It also
/// accepts every part that a partitioner forms of such nodes. `Owner` selects the owner of constants.
template <baton::backend Model, baton::operator_support Support, baton::partitioner Partitioner = baton::by_support<Model, Support>,
          constant_owner Owner = constant_owner::program>
constexpr auto accepts_supported_nodes(const baton::exported_program& program, const Partitioner& partitioner = {}) -> bool {
  for (const auto id : baton::visible_nodes(program)) {
    if (!Support::supports(program, program[id])) continue;
    if (!accepts_parts<Model>(program, one_node<Model, Owner>{id})) return false;
  }
  return accepts_parts<Model>(program, partitioner);
}

}  // namespace laws::backend
