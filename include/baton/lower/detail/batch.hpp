// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Batches: the parts of all methods, backend by backend, and how a backend preprocesses one.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/backend/by_method.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/contracted_graph.hpp>
#include <baton/lower/detail/lower_by_id.hpp>
#include <baton/lower/extract.hpp>
#include <baton/lower/lowering_steps.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/rules.hpp>
#include <baton/partition/delegation_spec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// Has a backend preprocess part by part, method by method: what is done for a backend that has no `preprocess_multimethod`, for one that
/// has to build upon. Errors: `unmatched_specs`, and the backend's own.
template <backend Backend>
constexpr auto preprocess_each(const by_method<exported_program>& parts, const by_method<compile_specs>& specs)
    -> result<by_method<preprocess_result>> {
  const auto in_method = [](failure why, const text_buffer& method) {
    why.method = method;
    why.backend = join(to_text(Backend::id));
    return why;
  };
  by_method<preprocess_result> made;
  for (const auto& [method, programs] : parts) {
    const auto* told = specs.find(view(method));
    if (told == nullptr) return in_method(broken<rule::unmatched_specs>("it has no list of compile specs"), method);
    if (told->size() != programs.size()) {
      return in_method(broken<rule::unmatched_specs>(programs.size(), " parts, compile specs for ", told->size()), method);
    }
    auto& results = made[view(method)];
    for (std::size_t i = 0; i < programs.size(); ++i) {
      result<preprocess_result> one = Backend::preprocess(programs[i], (*told)[i]);
      if (!one) return in_method(std::move(one.error), method);
      results.push_back(std::move(one.value));
    }
  }
  return made;
}

namespace detail {

/// A part among those of several methods: `number` is its place in `parts_of` its method.
struct batch_member {
  std::uint32_t method = 0;
  std::uint32_t number = 0;
  tag_id tag = none<tag_id>;
};

/// The parts that one backend takes.
struct batch {
  std::string_view backend_id;
  vector<batch_member> members;
};

/// The graphs that have parts: the root, what it calls in the order of the nodes, at once what that calls; then other entry points.
constexpr auto graphs_in_order(const program_view& program) -> vector<graph_id> {
  const auto counts = graphs_with_parts(program);
  vector<char> seen(program.graphs.size(), 0);
  vector<graph_id> order;
  for (std::uint32_t entry = 0; entry < program.graphs.size(); ++entry) {
    vector<graph_id> open{static_cast<graph_id>(entry)};
    while (!open.empty()) {
      const auto id = open.back();
      open.pop_back();
      if (counts[index(id)] == 0 || seen[index(id)] != 0) continue;
      seen[index(id)] = 1;
      order.push_back(id);
      const auto first = static_cast<std::ptrdiff_t>(open.size());
      for (const auto& record : program.nodes_of(program[id])) {
        for (const auto called : program.subgraphs_of(record)) open.push_back(called);
      }
      std::reverse(open.begin() + first, open.end());
    }
  }
  return order;
}

/// Gathers the parts of tagged methods by backend. Backends stand as they are first met: method by method, graph by graph, in the order of
/// the tag map; the parts of one graph stand as their calls will. A batch has the parts of a method side by side.
class batch_finder {
 public:
  constexpr auto run(std::span<const program_view> tagged) -> vector<batch> {
    for (std::uint32_t m = 0; m < tagged.size(); ++m) {
      const auto parts = parts_of(tagged[m]);
      contraction_tables tables(tagged[m]);
      number_of_tag_.assign(tagged[m].tags.size(), 0);
      for (const auto id : graphs_in_order(tagged[m])) add_graph(tagged[m], id, m, parts, tables);
    }
    return std::move(batches_);
  }

 private:
  constexpr void add_graph(const program_view& program, graph_id id, std::uint32_t method, std::span<const part_id> parts,
                           contraction_tables& tables) {
    const auto is_before = [](const part_id& part, graph_id graph) { return index(part.graph) < index(graph); };
    const auto first = static_cast<std::uint32_t>(std::lower_bound(parts.begin(), parts.end(), id, is_before) - parts.begin());
    if (first == parts.size() || parts[first].graph != id) return;
    for (auto i = first; i < parts.size() && parts[i].graph == id; ++i) {
      number_of_tag_[index(parts[i].tag)] = i;
      static_cast<void>(batch_of(program, parts[i].tag));
    }
    for (const auto at : contracted_graph(program, id, tables).order()) {
      const auto tag = program[at].tag;
      if (has_spec(program, tag)) batch_of(program, tag).members.push_back({method, number_of_tag_[index(tag)], tag});
    }
  }

  constexpr auto batch_of(const program_view& program, tag_id tag) -> batch& {
    const auto id = program.text(program[tag].backend_id);
    for (auto& known : batches_) {
      if (known.backend_id == id) return known;
    }
    batches_.push_back({id, {}});
    return batches_.back();
  }

  vector<batch> batches_;
  vector<std::uint32_t> number_of_tag_;  ///< in the graph at hand
};

/// The failure of a batch whose results are not one a part, if they are not.
constexpr auto check_results(const by_method<exported_program>& parts, const by_method<preprocess_result>& made) -> failure {
  const auto mismatch = [](const text_buffer& method, std::size_t asked, std::size_t got) {
    auto why = broken<rule::unmatched_results>(asked, " parts, ", got, " results");
    why.method = method;
    return why;
  };
  for (const auto& [method, programs] : parts) {
    const auto* results = made.find(view(method));
    const auto count = results == nullptr ? 0 : results->size();
    if (count != programs.size()) return mismatch(method, programs.size(), count);
  }
  for (const auto& [method, results] : made) {
    if (parts.find(view(method)) == nullptr) return mismatch(method, 0, results.size());
  }
  return {};
}

/// The parts of a batch, each on its own, in the order of the members.
constexpr auto cut_batch(std::span<const std::string_view> names, std::span<const program_view> tagged, const batch& of, source_bytes bytes)
    -> result<vector<cut_part>> {
  result<vector<cut_part>> cuts;
  for (std::size_t i = 0; i < of.members.size();) {
    const auto method = of.members[i].method;
    const auto borders = outlines(tagged[method], parts_of(tagged[method]));
    part_cutter cutter(tagged[method], bytes);
    for (; i < of.members.size() && of.members[i].method == method; ++i) {
      auto cut = cut_step(cutter, tagged[method], borders[of.members[i].number]);
      if (!cut) {
        cut.error.method = join(names[method]);
        return std::move(cut.error);
      }
      cuts.value.push_back(std::move(cut.value));
    }
  }
  return cuts;
}

/// Has a backend preprocess the parts of a batch at once; what comes out stands in the order of the members.
template <batch_backend Backend>
constexpr auto preprocess_batch(std::span<const std::string_view> names, const batch& of, vector<cut_part> cuts)
    -> result<vector<exported_program>> {
  by_method<exported_program> parts;
  by_method<compile_specs> specs;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto name = names[of.members[i].method];
    parts[name].push_back(std::move(cuts[i].program));
    specs[name].push_back(std::move(cuts[i].specs));
  }
  result<by_method<preprocess_result>> made = Backend::preprocess_multimethod(parts, specs);
  if (made) made.error = check_results(parts, made.value);
  result<vector<exported_program>> lowered;
  lowered.error = std::move(made.error);
  for (std::size_t m = 0; lowered && m < parts.entries.size(); ++m) {
    const auto& [method, programs] = parts.entries[m];
    const auto& results = *made.value.find(view(method));
    for (std::size_t i = 0; lowered && i < programs.size(); ++i) {
      auto one = with_lowered_module(programs[i], of.backend_id, specs.entries[m].parts[i], results[i]);
      lowered.error = std::move(one.error);
      if (!lowered) lowered.error.method = method;
      lowered.value.push_back(std::move(one.value));
    }
  }
  if (!lowered) lowered.error.backend = join(of.backend_id);
  return lowered;
}

/// Has its backend preprocess a batch: at once, or part by part where the backend does not offer that.
template <class... Backends>
constexpr auto batch_step(backend_list<Backends...> list, std::span<const std::string_view> names, std::span<const program_view> tagged,
                          const batch& of, source_bytes bytes) -> result<vector<exported_program>> {
  auto cuts = cut_batch(names, tagged, of, bytes);
  if (!cuts) return std::move(cuts.error);
  result<vector<exported_program>> lowered;
  with_backend(list, of.backend_id, [&](auto backend) {
    using backend_type = typename decltype(backend)::type;
    if constexpr (batch_backend<backend_type>) {
      lowered = preprocess_batch<backend_type>(names, of, std::move(cuts.value));
    } else {
      for (std::size_t i = 0; lowered && i < of.members.size(); ++i) {
        const auto& member = of.members[i];
        auto part = preprocess_step(list, tagged[member.method], member.tag, std::move(cuts.value[i]));
        lowered.error = std::move(part.error);
        if (!lowered) lowered.error.method = join(names[member.method]);
        lowered.value.push_back(std::move(part.value));
      }
    }
  });
  return lowered;
}

/// What came out of a batch as one program, whose nodes call the lowered modules in the order of the batch's members.
constexpr auto merged(std::span<const exported_program> lowered) -> exported_program {
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

}  // namespace detail

}  // namespace baton
