// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// When each value of the root graph lives, and how many bytes live at once.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/lowered_module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

/// A piece of memory that is needed from step `first` to step `last`, both included. Step n is node n of the root graph; the step after the
/// last node is the user's, who reads the outputs.
struct lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t bytes = 0;  ///< rounded up to the alignment
};

/// What needs memory: values of the root graph, and the scratch of delegate calls.
struct memory_needs {
  std::vector<lifetime> lifetimes;
  std::vector<std::uint32_t> of_value;    ///< by value: its entry, or `no_entry`
  std::vector<std::uint32_t> of_scratch;  ///< by node of the root graph: its delegate's scratch, or `no_entry`

  static constexpr std::uint32_t no_entry = 0xffffffffu;
};

constexpr auto round_up(std::uint64_t bytes, std::uint32_t alignment) -> std::uint64_t {
  return (bytes + alignment - 1) / alignment * alignment;
}

namespace detail {

/// Whether a value lies in the arena: everything but constant data, which stays in read-only memory.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::user_input || record.kind == value_kind::intermediate || record.kind == value_kind::mutable_buffer;
}

class lifetime_scan {
 public:
  constexpr lifetime_scan(const program_view& program, std::uint32_t alignment, std::span<const value_id> storage_of)
      : program_(program),
        alignment_(alignment),
        storage_of_(storage_of) {
    needs_.of_value.assign(program.values.size(), memory_needs::no_entry);
    needs_.of_scratch.assign(program.root().nodes.size, memory_needs::no_entry);
  }

  constexpr auto run() -> memory_needs {
    const auto& root = program_.root();
    const auto end = root.nodes.size;
    for (const auto input : program_.inputs(root)) {
      touch(input, 0);
      if (program_[input].kind == value_kind::mutable_buffer) touch(input, end);
    }
    for (std::uint32_t n = 0; n < end; ++n) {
      const auto& record = program_.nodes[root.nodes.first + n];
      for (const auto input : program_.inputs(record)) {
        if (input != none<value_id>) touch(input, n);
      }
      for (const auto output : program_.outputs_of(record)) touch(output, n);
      if (record.delegate == none<delegate_id>) continue;
      const auto scratch = lowered_module_view(program_, record.delegate).scratch_bytes();
      if (scratch != 0) needs_.of_scratch[n] = add(n, scratch);
    }
    for (const auto& spec : program_.outputs_of(root)) touch(spec.value, end);
    return std::move(needs_);
  }

 private:
  constexpr auto add(std::uint32_t step, std::uint64_t bytes) -> std::uint32_t {
    needs_.lifetimes.push_back({step, step, round_up(bytes, alignment_)});
    return static_cast<std::uint32_t>(needs_.lifetimes.size() - 1);
  }

  // A value that shares another's storage lengthens that one's life.
  constexpr void touch(value_id id, std::uint32_t step) {
    const auto owner = storage_of_.empty() || storage_of_[index(id)] == none<value_id> ? id : storage_of_[index(id)];
    const auto& record = program_[owner];
    if (!needs_memory(record)) return;
    auto& entry = needs_.of_value[index(owner)];
    if (entry == memory_needs::no_entry)
      entry = add(step, static_cast<std::uint64_t>(std::max<std::int64_t>(0, byte_count(record.type, program_.shape(owner)))));
    auto& life = needs_.lifetimes[entry];
    life.first = std::min(life.first, step);
    life.last = std::max(life.last, step);
    needs_.of_value[index(id)] = entry;
  }

  program_view program_;
  std::uint32_t alignment_;
  std::span<const value_id> storage_of_;
  memory_needs needs_;
};

}  // namespace detail

/// The lifetimes of the root graph. User inputs live from before the first node to their last use, outputs from where they are made to the
/// end, mutable buffers always; constants need no memory. `storage_of` names, by value, the value whose storage it shares (`none`: its
/// own). Linear in nodes and operands.
constexpr auto lifetimes(const program_view& program, std::uint32_t alignment, std::span<const value_id> storage_of = {}) -> memory_needs {
  return detail::lifetime_scan(program, alignment, storage_of).run();
}

/// The most bytes that live at once: no plan with whole operators can need less.
constexpr auto lower_bound(std::span<const lifetime> needs) -> std::uint64_t {
  std::uint32_t steps = 0;
  for (const auto& need : needs) steps = std::max(steps, need.last + 1);
  std::vector<std::uint64_t> begins(steps + 1, 0);
  std::vector<std::uint64_t> ends(steps + 1, 0);
  for (const auto& need : needs) {
    begins[need.first] += need.bytes;
    ends[need.last + 1] += need.bytes;
  }
  std::uint64_t live = 0;
  std::uint64_t most = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    live = live + begins[step] - ends[step];
    most = std::max(most, live);
  }
  return most;
}

}  // namespace baton
