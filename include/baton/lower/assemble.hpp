// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Puts delegate calls in the places of parts.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/copy.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/lowered_module.hpp>
#include <baton/lower/part.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

namespace detail {

class assembler {
 public:
  constexpr assembler(const program_view& tagged, std::span<const part_id> parts, std::span<const lowered_module_view> lowered,
                      source_bytes bytes)
      : tagged_(tagged),
        parts_(parts),
        lowered_(lowered),
        copier_(tagged, to_, bytes),
        visited_(tagged.graphs.size(), 0),
        consumed_(tagged.values.size(), 0),
        rewritten_(tagged.graphs.size(), none<graph_id>) {
    for (const auto& record : tagged.nodes) next_handle_ = std::max(next_handle_, record.debug_handle);
    mark_graphs_of_delegates();
  }

  constexpr auto run() -> exported_program {
    to_.draft().graphs[0].name = copier_.copy(tagged_.root().name);
    rewrite_into(graph_id{0});
    // Graphs that no node contains are entry points of their own.
    for (std::uint32_t g = 1; g < visited_.size(); ++g) {
      if (visited_[g] == 0) rewrite(static_cast<graph_id>(g));
    }
    return to_.finish();
  }

 private:
  constexpr void mark_graphs_of_delegates() {
    for (const auto& record : tagged_.nodes) {
      for (const auto g : tagged_.subgraphs_of(record)) visited_[index(g)] = 1;
    }
    for (const auto& delegate : tagged_.delegates) visited_[index(delegate.original)] = 1;
  }

  // A graph that several nodes call stays one.
  constexpr auto rewrite(graph_id id) -> graph_id {
    auto& rewritten = rewritten_[index(id)];
    if (rewritten != none<graph_id>) return rewritten;
    rewritten = to_.add_graph(tagged_.text(tagged_[id].name));
    const auto added = rewritten;
    rewrite_into(id);
    return added;
  }

  constexpr void rewrite_into(graph_id id) {
    const auto here = to_.current();
    const auto outlines = outlines_of(id);
    for (const auto input : tagged_.inputs(tagged_[id])) {
      if (consumed_[index(input)] == 0) copier_.copy_input(input);
    }
    std::uint32_t calls = 0;
    for (const auto at : contracted_graph(tagged_, id).order()) {
      const auto tag = tagged_[at].tag;
      if (has_spec(tagged_, tag)) {
        const auto place = static_cast<std::size_t>(
            std::find_if(outlines.begin(), outlines.end(), [&](const numbered_outline& part) { return part.outline.id.tag == tag; }) -
            outlines.begin());
        add_call(outlines[place], here);
      } else {
        copier_.copy_node(at, [this](graph_id subgraph) { return rewrite(subgraph); });
        to_.enter(here);
      }
      if (to_.latest_node().delegate != none<delegate_id>) name_call(calls++);
    }
    for (const auto& spec : tagged_.outputs_of(tagged_[id])) {
      if (!is_mutation_of_a_part(outlines, spec)) to_.add_output({spec.kind, copier_.copy_of(spec.value), copier_.copy(spec.target)});
    }
  }

  struct numbered_outline {
    part_outline outline;
    std::size_t number;
  };

  constexpr auto outlines_of(graph_id id) -> std::vector<numbered_outline> {
    std::vector<numbered_outline> outlines;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].graph != id) continue;
      outlines.push_back({outline(tagged_, parts_[i]), i});
      for (const auto owned : outlines.back().outline.owned) consumed_[index(owned)] = 1;
    }
    return outlines;
  }

  constexpr void add_call(const numbered_outline& part, graph_id here) {
    std::vector<value_id> arguments;
    std::vector<value_id> outputs;
    for (const auto argument : part.outline.arguments) arguments.push_back(copier_.copy_of(argument));
    for (const auto output : part.outline.outputs) outputs.push_back(copier_.copy_value(output));
    auto record = to_.make_node(call_delegate.text, call_delegate.text);
    record.debug_handle = ++next_handle_;
    record.delegate = copier_.copy_delegate(lowered_[part.number].program(), lowered_[part.number].id());
    to_.enter(here);
    to_.add_node(record, arguments, outputs);
  }

  /// Lowered modules and their calls are numbered in graph order.
  constexpr void name_call(std::uint32_t number) {
    auto& record = to_.latest_node();
    to_.draft().delegates[index(record.delegate)].name = to_.own(view(join("lowered_module_", number)));
    record.name = number == 0 ? to_.own(call_delegate.text) : to_.own(view(join(call_delegate.text, "_", number)));
  }

  static constexpr auto is_mutation_of_a_part(const std::vector<numbered_outline>& outlines, const output_spec& spec) -> bool {
    return spec.kind == output_kind::buffer_mutation && std::any_of(outlines.begin(), outlines.end(), [&](const numbered_outline& part) {
             const auto& values = part.outline.mutations;
             return std::find(values.begin(), values.end(), spec.value) != values.end();
           });
  }

  program_view tagged_;
  std::span<const part_id> parts_;
  std::span<const lowered_module_view> lowered_;
  program_builder to_;
  program_copier copier_;
  std::vector<char> visited_;
  std::vector<char> consumed_;
  std::vector<graph_id> rewritten_;
  std::uint32_t next_handle_ = 0;
};

/// The program as it is, without its tags.
constexpr auto untagged(const program_view& program) -> exported_program {
  auto copy = thaw(program);
  for (auto& record : copy.graphs) record.output_tag = none<tag_id>;
  for (auto& record : copy.nodes) record.tag = none<tag_id>;
  for (auto& record : copy.values) {
    record.tag = none<tag_id>;
    record.sharing = value{}.sharing;
  }
  copy.tags.clear();
  return copy;
}

}  // namespace detail

/// The tagged program with a delegate call in the place of every part; `lowered[i]` is what became of `parts[i]`.
/// With `source_bytes::kept`, texts and blobs stay where the sources, which must then outlive the result, have them.
/// Data that a part owns leaves the program, tags are gone everywhere, and each call has a debug handle of its own.
constexpr auto assemble(const program_view& tagged, std::span<const part_id> parts, std::span<const lowered_module_view> lowered,
                        source_bytes bytes = source_bytes::copied) -> exported_program {
  // Nothing to replace: not even the order of records changes.
  if (parts.empty()) return detail::untagged(tagged);
  return detail::assembler(tagged, parts, lowered, bytes).run();
}

}  // namespace baton
