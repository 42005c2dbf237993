// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces parts (the nodes of a graph that become one delegate) by delegate calls.
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

/// A copier of a tagged program (a program whose nodes are assigned to parts) that replaces each part by a delegate call.
class assembler {
 public:
  constexpr assembler(const program_view& tagged, span<const part_id> parts, span<const lowered_module_view> lowered, source_bytes bytes)
      : tagged_(tagged),
        lowered_(lowered),
        bytes_(bytes),
        copier_(tagged, to_, bytes),
        tables_(tagged),
        boundaries_(boundaries_of(tagged, parts)),
        part_number_(tagged.nodes.size(), 0),
        is_removed_(tagged.values.size(), 0),
        is_inner_(inner_graphs(tagged)),
        rewritten_(tagged.graphs.size(), none<graph_id>) {
    next_handle_ = greatest_debug_handle(tagged);
    mark_parts();
  }

  constexpr auto run() -> exported_program {
    to_.draft().graphs[0].name = copier_.copy(tagged_.root().name);
    rewrite_into(graph_id{0});
    // Every graph that `inner_graphs` does not mark is an entry point.
    for (std::uint32_t g = 1; g < is_inner_.size(); ++g) {
      if (is_inner_[g] == 0) rewrite(static_cast<graph_id>(g));
    }
    return to_.finish();
  }

 private:
  constexpr void mark_parts() {
    for (std::size_t number = 0; number < boundaries_.size(); ++number) {
      for (const auto id : boundaries_[number].nodes) part_number_[index(id)] = static_cast<std::uint32_t>(number);
      for (const auto owned : boundaries_[number].owned) is_removed_[index(owned)] = 1;
      for (const auto mutation : boundaries_[number].mutations) is_removed_[index(mutation)] = 1;
    }
  }

  // A graph that is called by several nodes is copied once.
  constexpr auto rewrite(graph_id id) -> graph_id {
    auto& rewritten = rewritten_[index(id)];
    if (rewritten != none<graph_id>) return rewritten;
    rewritten = to_.add_graph(tagged_.text(tagged_[id].name));
    const auto added = rewritten;
    rewrite_into(id);
    return added;
  }

  constexpr void rewrite_into(graph_id id) {
    const auto target_graph = to_.current();
    for (const auto input : tagged_.inputs(tagged_[id])) {
      if (is_removed_[index(input)] != 0) continue;
      copier_.set_data(input, data_of(input));
      copier_.copy_input(input);
    }
    call_counts counts;
    for (const auto at : order_of(id)) {
      if (const auto tag = tagged_[at].tag; has_spec(tagged_, tag)) {
        add_call(part_number_[index(at)], target_graph);
      } else {
        copier_.copy_node(at, [this](graph_id subgraph) { return rewrite(subgraph); });
        to_.enter(target_graph);
      }
      if (to_.latest_node().delegate != none<delegate_id>) name_call(counts);
    }
    for (const auto& spec : tagged_.outputs_of(tagged_[id])) {
      if (spec.kind == output_kind::buffer_mutation && is_removed_[index(spec.value)] != 0) continue;
      to_.add_output({spec.kind, copier_.copy_of(spec.value), copier_.copy(spec.target)});
    }
  }

  constexpr auto order_of(graph_id id) -> vector<node_id> {
    const auto nodes = tagged_[id].nodes;
    if (has_parts(tagged_, tagged_[id])) return contracted_graph(tagged_, id, tables_).order();
    vector<node_id> order;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) order.push_back(static_cast<node_id>(n));
    return order;
  }

  constexpr void add_call(std::uint32_t number, graph_id target_graph) {
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
    to_.enter(target_graph);
    to_.add_node(record, arguments, outputs);
  }

  /// Returns a reference to the copy of the bytes of `id`, which is a placeholder: an input, parameter, buffer or constant. Bytes that
  /// several placeholders share are copied only once.
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

  /// Names the call that was added last. Also names the module of this call, if no earlier call has named the module. In each graph, the
  /// numbers of calls and the numbers of modules begin with 0 and ascend in node order. The name of call 0 has no number.
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
  vector<std::uint32_t> part_number_;  ///< indexed by node: for a node in a part, the position of the part in `boundaries_`
  vector<char> is_removed_;            ///< indexed by value: whether the value is data that a part owns, or the new value of such data
  vector<char> is_inner_;              ///< the result of `inner_graphs`
  vector<graph_id> rewritten_;         ///< indexed by graph: the copy of the graph, or `none<graph_id>`
  struct copied_bytes {
    byte_ref source;
    byte_ref target;
  };
  vector<copied_bytes> copied_;  ///< sorted by the position and the size of `source`
  vector<char> is_named_;        ///< indexed by delegate of the new program: 1 if `name_call` has named the delegate
  std::uint32_t next_handle_ = 0;
};

/// Returns a copy of the program without its tags.
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

/// Returns the tagged program with each part replaced by a delegate call; `lowered[i]` is the lowered module (the part after `preprocess`)
/// of `parts[i]`. Data that a part owns, and all tags, are removed. Each call has a new debug handle, the number that identifies a node of
/// the model. With `source_bytes::kept`, texts, data and processed bytes are not copied, so `tagged` and the programs of `lowered` must
/// outlive the returned program. Processed bytes are the result of `preprocess`.
constexpr auto assemble(const program_view& tagged, span<const part_id> parts, span<const lowered_module_view> lowered,
                        source_bytes bytes = source_bytes::copied) -> exported_program {
  // If there are no parts, the program is copied record by record, so even the order of the records does not change.
  if (parts.empty()) return detail::untagged(tagged);
  return detail::assembler(tagged, parts, lowered, bytes).run();
}

}  // namespace baton
