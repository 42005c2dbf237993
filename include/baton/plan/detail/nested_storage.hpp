// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Values that lie inside others, so that joining them, or taking them apart, copies nothing.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/nesting.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/streams.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// A value that a node joins to another or parts from it, and that lies inside that one; or an argument or a result of a call that lies in
/// the delegate's scratch.
struct nested_value {
  node_id node = none<node_id>;
  value_id value = none<value_id>;
  value_id within = none<value_id>;  ///< `none`: the scratch of `node`
  std::uint64_t offset = 0;          ///< of `within`, in bytes
};

namespace detail {

/// By value as in `memory_request`, and what lies inside what.
struct nested_storage {
  vector<value_id> storage_of;
  vector<std::uint64_t> within;
  vector<nested_value> values;
};

/// Nests values of the root. A value lies inside one other at most, at an offset that keeps it aligned; it is made and used by kernels
/// alone, whole (what is handed to delegates and to graphs that are called, and what segments run by rows, has memory of its own), and is
/// neither input, state nor constant.
/// Two values that share bytes hold the same there: a part, and the whole that it is or becomes part of.
class value_nesting {
 public:
  constexpr value_nesting(const program_view& program, span<const value_id> storage_of, std::uint32_t alignment, const stream_plan* streams)
      : program_(program),
        alignment_(alignment),
        has_own_(program.values.size(), 0) {
    made_.storage_of.assign(storage_of.begin(), storage_of.end());
    made_.within.assign(program.values.size(), memory_needs::whole);
    const auto close = [this](value_id id) {
      if (id != none<value_id>) has_own_[index(root_of(id).value)] = 1;
    };
    const auto nodes = program_.nodes_of(program_.root());
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      const bool is_by_kernel = nodes[n].delegate == none<delegate_id> && control_flow_of(nodes[n]) == control_flow::none;
      if (is_by_kernel && (streams == nullptr || streams->segment_of(n) == nullptr)) continue;
      for (const auto id : program_.inputs(nodes[n])) close(id);
      for (const auto id : program_.outputs_of(nodes[n])) close(id);
    }
    for (const auto& spec : program_.outputs_of(program_.root())) {
      if (spec.kind != output_kind::user_output) close(spec.value);
    }
  }

  /// Outputs inside an operand. Nodes in order.
  constexpr void part(std::uint32_t n, const nesting& of) {
    const auto& record = program_.nodes[n];
    const auto whole = program_.inputs(record)[of.whole_operand];
    if (whole == none<value_id> || program_[root_of(whole).value].kind != value_kind::intermediate) return;
    const auto outputs = program_.outputs_of(record);
    for (std::size_t i = 0; i < of.offsets.size(); ++i) nest(n, outputs[i], whole, of.offsets[i]);
  }
  /// Operands inside the output. Nodes from the last to the first, so that joints inside joints know where they lie.
  constexpr void join(std::uint32_t n, const nesting& of) {
    const auto& record = program_.nodes[n];
    const auto inputs = program_.inputs(record);
    for (std::size_t i = 0; i < of.offsets.size(); ++i) {
      if (inputs[i] != none<value_id>) nest(n, inputs[i], program_.outputs_of(record)[0], of.offsets[i]);
    }
  }

  /// Every value by the one whose memory it is in the end, none of which lies inside another.
  constexpr auto finish() -> nested_storage {
    auto flat = made_;
    for (std::uint32_t v = 0; v < flat.storage_of.size(); ++v) {
      const auto id = static_cast<value_id>(v);
      const auto found = root_of(id);
      if (found.value == id) continue;
      flat.storage_of[v] = found.value;
      flat.within[v] = found.is_part ? found.offset : memory_needs::whole;
    }
    return flat;
  }

 private:
  struct place {
    value_id value;
    std::uint64_t offset = 0;
    bool is_part = false;
  };

  constexpr auto root_of(value_id id) const -> place {
    place found{id};
    while (made_.storage_of[index(found.value)] != none<value_id>) {
      const auto within = made_.within[index(found.value)];
      if (within != memory_needs::whole) {
        found.is_part = true;
        found.offset += within;
      }
      found.value = made_.storage_of[index(found.value)];
    }
    return found;
  }
  constexpr auto bytes_of(value_id id) const -> std::int64_t { return byte_count(program_[id].type, program_.shape(id)); }

  constexpr void nest(std::uint32_t n, value_id id, value_id whole, std::int64_t offset) {
    const auto owner = root_of(id);
    if (offset < 0 || offset % alignment_ != 0 || owner.is_part || has_own_[index(owner.value)] != 0) return;
    if (program_[owner.value].kind != value_kind::intermediate || bytes_of(owner.value) != bytes_of(id)) return;
    if (root_of(whole).value == owner.value) return;
    made_.storage_of[index(owner.value)] = whole;
    made_.within[index(owner.value)] = static_cast<std::uint64_t>(offset);
    made_.values.push_back({static_cast<node_id>(n), id, whole, static_cast<std::uint64_t>(offset)});
  }

  program_view program_;
  std::int64_t alignment_;
  vector<char> has_own_;  // by value, which owns its memory
  nested_storage made_;
};

template <class Kernel>
constexpr auto nesting_question() -> nesting (*)(const program_view&, const node&) {
  if constexpr (nesting_kernel<Kernel>) return Kernel::nesting_of;
  return nullptr;
}

/// What may lie inside what; `storage_of` is what `shared_storage` says, `chosen` is `execution_plan::kernels`, `streams` what is run by
/// rows, null: nothing.
template <class... Kernels>
constexpr auto nest_values(kernel_list<Kernels...>, const program_view& program, span<const std::uint32_t> chosen,
                           span<const value_id> storage_of, std::uint32_t alignment, const stream_plan* streams) -> nested_storage {
  if constexpr ((nesting_kernel<Kernels> || ...)) {
    constexpr std::array asked{nesting_question<Kernels>()...};
    vector<std::pair<std::uint32_t, nesting>> found;
    const auto nodes = program.root().nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      if (chosen[n] >= asked.size() || asked[chosen[n]] == nullptr) continue;
      auto of = asked[chosen[n]](program, program.nodes[n]);
      if (!of.offsets.empty()) found.emplace_back(n, std::move(of));
    }
    if (found.empty()) return {};
    value_nesting nest(program, storage_of, alignment, streams);
    for (const auto& [n, of] : found) {
      if (of.whole_operand != npos) nest.part(n, of);
    }
    for (auto i = found.size(); i-- > 0;) {
      if (found[i].second.whole_operand == npos) nest.join(found[i].first, found[i].second);
    }
    return nest.finish();
  }
  return {};
}

}  // namespace detail

}  // namespace baton
