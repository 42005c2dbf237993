// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A profiler: the time, or any other counter, of each node and delegate, in an array of fixed size.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/graph_calls.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// A clock or a counter. `static auto now()` returns an unsigned number or a time point. An unsigned number must count up. It may wrap
/// around, but the call of a node and of the nodes inside it must take less than one period of the counter. The difference of two time
/// points must have `count()`, as in `std::chrono`.
template <class T>
concept profile_clock = std::unsigned_integral<decltype(T::now())> || requires {
  { (T::now() - T::now()).count() } -> std::convertible_to<std::int64_t>;
};

}  // namespace detail

/// The measurements of a node: a kernel, a delegate call, a branch or a loop. Times are in the clock's unit.
struct profile_row {
  std::string_view name;     ///< the name of the node, or of the lowered module that the node calls
  std::string_view op;       ///< the name of the operator
  std::string_view backend;  ///< the backend's id; empty unless the node is a delegate call
  std::uint32_t node = 0;    ///< the index of the node in the program
  std::uint32_t depth = 0;   ///< the number of enclosing nodes: branches, loops, and delegate calls that run the original graph
  std::uint32_t calls = 0;
  std::uint64_t total = 0;  ///< the time of all calls, including enclosed nodes
  std::uint64_t own = 0;    ///< the time of all calls, excluding enclosed nodes
  std::uint64_t min = 0;    ///< minimum time of a call, including enclosed nodes
  std::uint64_t max = 0;    ///< maximum time of a call, including enclosed nodes
};

namespace detail {

/// The positions and sizes of a row's texts in the concatenated texts.
struct row_texts {
  std::uint32_t name = 0, name_size = 0;
  std::uint32_t op = 0, op_size = 0;
  std::uint32_t backend = 0, backend_size = 0;
};
struct row_facts {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  row_texts texts{};
};

/// The rows of the nodes that run, and the concatenated texts of all rows. The row of a node precedes the rows of the nodes that it
/// encloses. The rows of a graph that several nodes run follow the first of these nodes.
class row_list {
 public:
  constexpr row_list(const program_view& program, vector<char> runs_original)
      : program_(program),
        runs_original_(std::move(runs_original)),
        seen_(program.graphs.size(), 0) {
    if (!program.graphs.empty()) add_graph(graph_id{0}, 0);
  }

  vector<row_facts> rows;
  text_buffer texts;

 private:
  constexpr auto keep(std::string_view text) -> std::uint32_t {
    const auto first = static_cast<std::uint32_t>(texts.size());
    append(texts, text);
    return first;
  }
  /// Returns the position of `text` in `texts`. Appends the text first if it is missing. O(size of `texts`).
  constexpr auto keep_once(std::string_view text) -> std::uint32_t {
    for (const auto& [first, size] : kept_) {
      if (baton::view(texts).substr(first, size) == text) return first;
    }
    kept_.push_back({keep(text), static_cast<std::uint32_t>(text.size())});
    return kept_.back().first;
  }

  constexpr void add_graph(graph_id id, std::uint32_t depth) {
    seen_[index(id)] = 1;
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      add_row(n, depth);
      for (const auto inner : graphs_run_by(program_, program_.nodes[n], runs_original_)) {
        if (seen_[index(inner)] == 0) add_graph(inner, depth + 1);
      }
    }
  }
  constexpr void add_row(std::uint32_t n, std::uint32_t depth) {
    const auto& record = program_.nodes[n];
    const bool is_call = record.delegate != none<delegate_id>;
    const auto name = program_.text(is_call ? program_[record.delegate].name : record.name);
    const auto op = program_.text(record.target);
    const auto backend = is_call ? program_.text(program_[record.delegate].backend_id) : std::string_view{};
    const auto size_of = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
    rows.push_back({n, depth, {keep(name), size_of(name), keep_once(op), size_of(op), keep_once(backend), size_of(backend)}});
  }

  program_view program_;
  vector<char> runs_original_;
  vector<char> seen_;
  vector<range> kept_;
};

/// The rows of a static program, as constants. The texts are copied, because a pointer into the program would keep the whole program in the
/// executable image.
template <class Program>
struct profiled_rows {
  static constexpr auto list() -> row_list {
    using backend_types = typename Program::backend_types;
    return {Program::value(), needs_of_backends(backend_types{}, Program::value()).runs_original};
  }
  static constexpr auto sizes = [] {
    const auto all = list();
    return std::array{all.rows.size(), all.texts.size()};
  }();
  struct copy {
    std::array<row_facts, sizes[0]> rows{};
    std::array<char, sizes[1]> texts{};
  };
  static constexpr copy constants = [] {
    const auto all = list();
    copy result;
    std::copy(all.rows.begin(), all.rows.end(), result.rows.begin());
    std::copy(all.texts.begin(), all.texts.end(), result.texts.begin());
    return result;
  }();

  static consteval auto position(std::uint32_t node) -> std::size_t {
    std::size_t at = 0;
    while (constants.rows[at].node != node) ++at;
    return at;
  }
};

template <class Call>
struct program_of_call;
template <class Program, std::uint32_t Index, class Place>
struct program_of_call<node_call<Program, Index, Place>> {
  using type = Program;
};

}  // namespace detail

/// An observer that measures the runs of an executor: `baton::profiler<lowered, my_clock> times; net.run(times);`. A profiler has a row for
/// each node that runs. The rows of nodes in branches, loops and called graphs follow the row of their enclosing node. The rows of a graph
/// that several nodes run follow the first of these nodes. The row of a delegate call names the backend. The time of a segment (see
/// `stream_segment`) is in the row of its first node. Measurements accumulate over runs until `reset`. A failed call is not counted. The
/// executable image contains the texts of the rows, but not the program. The measurements are zero-initialized, so they are in .bss.
template <auto Program, class Clock>
class profiler {
  static_assert(detail::profile_clock<Clock>,
                "baton profiler: the clock has no now() that returns an unsigned number or a time point; write: static auto now() -> "
                "std::uint32_t, or use a clock of std::chrono");
  using program_type = std::remove_const_t<decltype(Program)>;
  using rows = detail::profiled_rows<program_type>;

 public:
  /// Returns the number of rows.
  static constexpr auto size() -> std::size_t { return rows::sizes[0]; }

  auto operator[](std::size_t i) const -> profile_row {
    const auto& stored = rows::constants.rows[i];
    const auto text = [](std::uint32_t first, std::uint32_t length) {
      return std::string_view{rows::constants.texts.data() + first, length};
    };
    const auto& texts = stored.texts;
    const auto& counted = counted_[i];
    return {text(texts.name, texts.name_size),
            text(texts.op, texts.op_size),
            text(texts.backend, texts.backend_size),
            stored.node,
            stored.depth,
            counted.calls,
            counted.total,
            counted.own,
            counted.min,
            counted.max};
  }

  /// Returns the time of all nodes of the root graph, including enclosed nodes.
  auto total() const -> std::uint64_t {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += rows::constants.rows[i].depth == 0 ? counted_[i].total : 0;
    return sum;
  }

  /// Resets all measurements.
  void reset() { counted_ = {}; }

  // The executor calls the next two functions.

  template <class Call>
  void before(const Call&) {
    static_assert(std::is_same_v<typename detail::program_of_call<Call>::type, program_type>,
                  "baton profiler: the profiler and the executor have different programs; use the program of the executor");
    auto& row = row_of<Call>();
    row.preceding = inside_;
    inside_ = 0;
    row.begin = Clock::now();
  }
  template <class Call>
  void operator()(const Call&) {
    const auto end = Clock::now();
    auto& row = row_of<Call>();
    const auto spent = between(row.begin, end);
    row.total += spent;
    row.own += spent - inside_;
    row.min = row.calls == 0 ? spent : std::min(row.min, spent);
    row.max = std::max(row.max, spent);
    ++row.calls;
    inside_ = row.preceding + spent;
  }

 private:
  using instant = decltype(Clock::now());

  struct counts {
    instant begin{};
    std::uint32_t calls = 0;
    std::uint64_t preceding = 0;  ///< time of the preceding nodes with the same enclosing node
    std::uint64_t total = 0;
    std::uint64_t own = 0;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
  };

  static auto between(instant begin, instant end) -> std::uint64_t {
    if constexpr (std::unsigned_integral<instant>) {
      return static_cast<instant>(end - begin);
    } else {
      return static_cast<std::uint64_t>((end - begin).count());
    }
  }
  template <class Call>
  auto row_of() -> counts& {
    constexpr auto at = rows::position(Call::index);
    return counted_[at];
  }

  std::array<counts, size()> counted_{};
  std::uint64_t inside_ = 0;  ///< time of the finished nodes that are directly inside the innermost unfinished node
};

}  // namespace baton
