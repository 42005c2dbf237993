// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Puts delegate calls in place of parts.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/greatest_debug_handle.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/detail/contracted_graph.hpp>
#include <baton/lower/shared/part.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Writes the program anew, graph by graph, a call where a part was.
class assembler {
 public:
  constexpr assembler(const program_view& tagged, span<const part_id> parts, span<const lowered_module_view> lowered, source_bytes bytes)
      : tagged_(tagged),
        lowered_(lowered),
        bytes_(bytes),
        copier_(tagged, to_, bytes),
        tables_(tagged),
        boundaries_(boundaries_of(tagged, parts)),
        number_of_(tagged.nodes.size(), 0),
        leaves_(tagged.values.size(), 0),
        is_inner_(inner_graphs(tagged)),
        rewritten_(tagged.graphs.size(), none<graph_id>) {
    next_handle_ = greatest_debug_handle(tagged);
    mark_parts();
  }

  constexpr auto run() -> exported_program {
    to_.draft().graphs[0].name = copier_.copy(tagged_.root().name);
    rewrite_into(graph_id{0});
    // Graphs that no node contains are entry points of their own.
    for (std::uint32_t g = 1; g < is_inner_.size(); ++g) {
      if (is_inner_[g] == 0) rewrite(static_cast<graph_id>(g));
    }
    return to_.finish();
  }

 private:
  constexpr void mark_parts() {
    for (std::size_t number = 0; number < boundaries_.size(); ++number) {
      for (const auto id : boundaries_[number].nodes) number_of_[index(id)] = static_cast<std::uint32_t>(number);
      for (const auto owned : boundaries_[number].owned) leaves_[index(owned)] = 1;
      for (const auto mutation : boundaries_[number].mutations) leaves_[index(mutation)] = 1;
    }
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
    for (const auto input : tagged_.inputs(tagged_[id])) {
      if (leaves_[index(input)] != 0) continue;
      copier_.set_data(input, data_of(input));
      copier_.copy_input(input);
    }
    call_counts counts;
    for (const auto at : order_of(id)) {
      if (const auto tag = tagged_[at].tag; has_spec(tagged_, tag)) {
        add_call(number_of_[index(at)], here);
      } else {
        copier_.copy_node(at, [this](graph_id subgraph) { return rewrite(subgraph); });
        to_.enter(here);
      }
      if (to_.latest_node().delegate != none<delegate_id>) name_call(counts);
    }
    for (const auto& spec : tagged_.outputs_of(tagged_[id])) {
      if (spec.kind == output_kind::buffer_mutation && leaves_[index(spec.value)] != 0) continue;
      to_.add_output({spec.kind, copier_.copy_of(spec.value), copier_.copy(spec.target)});
    }
  }

  constexpr auto order_of(graph_id id) -> vector<node_id> {
    const auto run = tagged_[id].nodes;
    if (has_parts(tagged_, tagged_[id])) return contracted_graph(tagged_, id, tables_).order();
    vector<node_id> order;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) order.push_back(static_cast<node_id>(n));
    return order;
  }

  constexpr void add_call(std::uint32_t number, graph_id here) {
    const auto& part = boundaries_[number];
    const auto& lowered = lowered_[number];
    vector<value_id> arguments;
    vector<value_id> outputs;
    for (const auto argument : part.arguments) arguments.push_back(copier_.copy_of(argument));
    for (const auto output : part.outputs) outputs.push_back(copier_.copy_value(output));
    vector<byte_ref> data;
    for (const auto owned : part.owned) data.push_back(data_of(owned));
    auto record = to_.make_node(call_delegate.text, call_delegate.text);
    record.debug_handle = ++next_handle_;
    record.delegate = copier_.copy_delegate(lowered.program(), lowered.id(), data);
    to_.enter(here);
    to_.add_node(record, arguments, outputs);
  }

  /// The bytes of owned data in the target. Bytes that several placeholders share are copied once.
  constexpr auto data_of(value_id id) -> byte_ref {
    const auto& data = tagged_[id].data;
    if (data.size == 0 || data.outside != nullptr || bytes_ == source_bytes::kept) return copier_.copy(data);
    const auto earlier = [](const copied_bytes& copied, const byte_ref& wanted) {
      return copied.source.first != wanted.first ? copied.source.first < wanted.first : copied.source.size < wanted.size;
    };
    const auto position = std::lower_bound(copied_.begin(), copied_.end(), data, earlier);
    if (position != copied_.end() && position->source.first == data.first && position->source.size == data.size) return position->target;
    return copied_.insert(position, {data, copier_.copy(data)})->target;
  }

  struct call_counts {
    std::uint32_t calls = 0;
    std::uint32_t modules = 0;
  };

  /// Lowered modules and their calls are numbered in graph order; a module that is called again keeps its number.
  constexpr void name_call(call_counts& counts) {
    auto& record = to_.latest_node();
    const auto number = counts.calls++;
    record.name = number == 0 ? to_.own(call_delegate.text) : to_.own(view(join(call_delegate.text, "_", number)));
    if (index(record.delegate) < is_named_.size() && is_named_[index(record.delegate)] != 0) return;
    is_named_.resize(to_.draft().delegates.size(), 0);
    is_named_[index(record.delegate)] = 1;
    to_.draft().delegates[index(record.delegate)].name = to_.own(view(join("lowered_module_", counts.modules++)));
  }

  program_view tagged_;
  span<const lowered_module_view> lowered_;
  source_bytes bytes_;
  program_builder to_;
  program_copier copier_;
  contraction_tables tables_;
  vector<part_boundary> boundaries_;
  vector<std::uint32_t> number_of_;  ///< by node of a part: the part's number
  vector<char> leaves_;              ///< by value: whether it is data of a part, or mutates such data
  vector<char> is_inner_;            ///< by graph
  vector<graph_id> rewritten_;
  struct copied_bytes {
    byte_ref source;
    byte_ref target;
  };
  vector<copied_bytes> copied_;  ///< by position in the source
  vector<char> is_named_;
  std::uint32_t next_handle_ = 0;
};

/// The program as it is, without its tags.
constexpr auto untagged(const program_view& program) -> exported_program {
  auto copy = thaw(program);
  for (auto& record : copy.nodes) record.tag = none<tag_id>;
  for (auto& record : copy.values) {
    record.tag = none<tag_id>;
    record.sharing = value{}.sharing;
  }
  copy.tags.clear();
  return copy;
}

}  // namespace detail

/// The tagged program with a delegate call in place of every part; `lowered[i]` is what became of `parts[i]`.
/// With `source_bytes::kept`, texts and blobs stay where the sources, which must then outlive the result, have them.
/// Data that a part owns leaves the program, tags are gone everywhere, and each call has a debug handle of its own.
constexpr auto assemble(const program_view& tagged, span<const part_id> parts, span<const lowered_module_view> lowered,
                        source_bytes bytes = source_bytes::copied) -> exported_program {
  // Nothing to replace: not even the order of records changes.
  if (parts.empty()) return detail::untagged(tagged);
  return detail::assembler(tagged, parts, lowered, bytes).run();
}

}  // namespace baton
