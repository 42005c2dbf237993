// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the nodes of a program read and write in one array, as a plan of whatever policy says, where every byte of the array says what it
// should hold.
#pragma once

#include "accesses.hpp"

#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/run/execution_plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlap {

/// The root graph of a program and its plan.
class planned_graph {
 public:
  planned_graph(const baton::program_view& program, const baton::execution_plan& plan) : program_(program), plan_(plan) {}

  auto program() const -> const baton::program_view& { return program_; }
  auto plan() const -> const baton::execution_plan& { return plan_; }
  auto nodes() const -> baton::span<const baton::node> { return program_.nodes_of(program_.root()); }
  auto size_of(baton::value_id id) const -> std::size_t {
    return static_cast<std::size_t>(baton::byte_count(program_[id].type, program_.shape(id)));
  }
  auto is_in_arena(baton::value_id id) const -> bool {
    return id != baton::none<baton::value_id> && !plan_.locations[baton::index(id)].is_constant();
  }
  auto begin_of(baton::value_id id) const -> std::size_t { return static_cast<std::size_t>(plan_.locations[baton::index(id)].offset); }

 private:
  baton::program_view program_;
  const baton::execution_plan& plan_;
};

/// Every byte of an arena says of which value it is which byte, and the nodes read and write in the order of their kernels.
class shadow {
 public:
  explicit shadow(const planned_graph& graph) : graph_(graph), tags_(graph.plan().memory.arena_bytes, nothing) {}

  /// How many bytes were read, or given out, that held something else than they should.
  auto run() -> std::size_t {
    const auto& program = graph_.program();
    for (const auto id : program.inputs(program.root())) {
      if (graph_.is_in_arena(id)) write(id, 0, graph_.size_of(id));
    }
    for (std::uint32_t n = 0; n < graph_.nodes().size(); ++n) run_node(n);
    for (const auto& output : program.outputs_of(program.root())) {
      if (graph_.is_in_arena(output.value)) read(output.value, 0, graph_.size_of(output.value));
    }
    return stale_;
  }

 private:
  static constexpr std::uint64_t nothing = UINT64_MAX;

  void run_node(std::uint32_t n) {
    const auto& program = graph_.program();
    const auto& memory = graph_.plan().memory;
    const auto& record = graph_.nodes()[n];
    const auto at = program.root().nodes.first + n;
    if (const auto entry = memory.needs.of_scratch[at]; entry != baton::npos) {
      const auto begin = tags_.begin() + static_cast<std::ptrdiff_t>(memory.offsets[entry]);
      std::fill_n(begin, memory.needs.lifetimes[entry].bytes, nothing);
    }
    const auto out = program.outputs_of(record)[0];
    const auto from = program.inputs(record)[0];
    if (record.inputs.size != 0 && graph_.is_in_arena(from) && tag_of(from, 0) == tag_of(out, 0)) return;  // one and the same memory
    replayed_node(program, record)
        .replay(
            memory.order_of(at),
            [&](std::size_t operand, std::int64_t first, std::int64_t count) {
              const auto id = program.inputs(record)[operand];
              if (graph_.is_in_arena(id)) read(id, static_cast<std::size_t>(first), static_cast<std::size_t>(count));
            },
            [&](std::int64_t first, std::int64_t count) { write(out, static_cast<std::size_t>(first), static_cast<std::size_t>(count)); });
  }

  /// The tag of a value's byte: what shares an entry of the plan is one.
  auto tag_of(baton::value_id id, std::size_t byte) const -> std::uint64_t {
    const auto& needs = graph_.plan().memory.needs;
    const auto within = needs.is_nested(id) ? needs.within[baton::index(id)] : 0;
    return std::uint64_t{needs.of_value[baton::index(id)]} << 40 | (within + byte);
  }
  void read(baton::value_id id, std::size_t first, std::size_t count) {
    const auto* from = tags_.data() + graph_.begin_of(id) + first;
    const auto tag = tag_of(id, first);
    for (std::size_t i = 0; i < count; ++i) stale_ += from[i] == tag + i ? 0 : 1;
  }
  void write(baton::value_id id, std::size_t first, std::size_t count) {
    auto* to = tags_.data() + graph_.begin_of(id) + first;
    const auto tag = tag_of(id, first);
    for (std::size_t i = 0; i < count; ++i) to[i] = tag + i;
  }

  planned_graph graph_;
  std::vector<std::uint64_t> tags_;
  std::size_t stale_ = 0;
};

}  // namespace overlap
