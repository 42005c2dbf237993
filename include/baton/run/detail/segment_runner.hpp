// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the nodes of a segment (consecutive nodes, see `stream_segment`) row by row.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernel/shared/visible_accesses.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/run/detail/row_addresses.hpp>
#include <baton/run/detail/segment_nodes.hpp>
#include <baton/run/detail/weight_copier.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A runner of a segment, which has `Count` nodes. The first of them is at position `First` of the schedule. In this class, the nodes are
/// numbered from 0.
///
/// A row of a node's output is computed when another node needs this row. The output of the segment's last node is stored as a whole. For
/// every other node, only the newest rows of the output are kept. The kept rows are contiguous, and the newest row is last. Before the next
/// rows are computed, the kept rows are moved to lower addresses. The next row is computed in the memory of the newest row. If operand rows
/// also begin in this memory (`kept_rows::in_user`), the kept rows are moved even earlier, before these operand rows are computed. The rows
/// of one node may instead be in the output of the last node (`kept_rows::in_output`). A kernel receives the address that row 0 would have
/// if all rows were in memory, so the kernel can address each row by the row number.
///
/// The observer is notified once for each node. The time of the whole segment is attributed to its first node.
template <class Execution, class Observer, std::uint32_t First, std::uint32_t Count>
class segment_runner : segment_nodes<Execution, First, Count> {
 public:
  segment_runner(char* base, Observer& observer)
      : base_(base),
        memory_(Execution::memory_map::template memory<Execution::tables.memory[First]>(base)),
        observer_(observer) {}

  void run() {
    notify_before<0>();
    while (done(last) < image<last>().rows) advance<last>(image<last>().rows);
    observer_(call_of<0>{base_});
    [this]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
      (this->template notify<1 + I>(), ...);
    }(std::make_integer_sequence<std::uint32_t, Count - 1>{});
  }

  /// Computes the next rows of one node, or of nodes in lockstep (see `segment_nodes::lockstep`), in the same order as `run`. Does not
  /// notify the observer. `at` contains the number of computed rows of each node, and is updated. Returns true if the segment is complete.
  template <class Position>
  auto run_slice(Position& at) -> bool {
    std::copy_n(at.rows.begin(), Count, done_.begin());
    if constexpr (is_summed<last>()) {
      sum_slice(at.summed);
    } else {
      advance_slice<last>(image<last>().rows);
    }
    std::copy_n(done_.begin(), Count, at.rows.begin());
    return done(last) == image<last>().rows;
  }

 private:
  using nodes = segment_nodes<Execution, First, Count>;
  using nodes::is_linked;
  using nodes::kept;
  using nodes::last;
  using nodes::lockstep;
  using nodes::node_at;
  using nodes::operand_in_segment;
  using nodes::operands_of;
  using nodes::output_of;
  using nodes::pixels_per_step;
  using nodes::producer;
  using nodes::producer_in;
  using nodes::user_of;
  using nodes::view;

  template <std::uint32_t N>
  using kernel = typename Execution::template kernel_type<node_at(N)>;
  template <std::uint32_t N>
  using call_of = typename weight_copier<Execution>::template call_of<node_at(N)>;

  template <std::uint32_t N>
  static constexpr const kernel_facts& facts_of = node_facts<kernel<N>, call_of<N>>;

  template <std::uint32_t N>
  static constexpr auto image() -> image_facts {
    return image_of(view(), output_of(N));
  }
  template <std::uint32_t N>
  static constexpr auto row_bytes() -> std::ptrdiff_t {
    return static_cast<std::ptrdiff_t>(image<N>().pixel_bytes) * image<N>().columns;
  }
  template <std::uint32_t N>
  static constexpr auto rows_per_step() -> std::int32_t {
    return kept(N).by_single_rows ? 1 : std::clamp<std::int32_t>(facts_of<N>.rows_per_step, 1, image<N>().rows);
  }
  template <std::uint32_t N>
  static constexpr auto is_summed() -> bool {
    return N != 0 && N == last && facts_of<N>.sum_bytes != 0;
  }

  /// A `node_call` that returns the addresses of kept rows for values inside the segment.
  template <std::uint32_t N>
  struct row_call : call_of<N> {
    static constexpr bool computes_single_rows = kept(N).by_single_rows;

    std::array<const char*, operands_of(N)> from{};
    char* to = nullptr;

    template <std::size_t I>
    auto input() const -> const char* {
      if constexpr (producer(N, I) != npos) {
        visible_accesses::keep();
        return from[I];
      } else {
        return call_of<N>::template input<I>();
      }
    }
    template <std::size_t I>
    auto output() const -> char* {
      if constexpr (N == last) {
        return call_of<N>::template output<I>();
      } else {
        visible_accesses::keep();
        return to;
      }
    }
  };

  auto done(std::uint32_t n) -> std::int32_t& { return done_[n]; }

  /// Returns the base address of node `N`'s output when `rows_done` rows are computed: the address that row 0 would have. This address is
  /// before the buffer if `rows_done` exceeds the number of kept rows. It is after the start of the buffer if `rows_done` is less than this
  /// number.
  template <std::uint32_t N>
  auto rows_from([[maybe_unused]] std::int32_t rows_done) const -> char* {
    if constexpr (kept(N).in_output) {
      return call_of<last>{base_}.template output<0>();
    } else {
      constexpr auto rows = kept(N).rows;
      return bytes_before(memory_ + kept(N).offset, (rows_done - rows) * row_bytes<N>());
    }
  }
  /// Returns the base address of node `N`'s output, whose buffer begins with the pixel at `row` and `column`.
  template <std::uint32_t N>
  auto pixels_from(std::int32_t row, std::int32_t column) const -> char* {
    return bytes_before(memory_ + kept(N).offset, row * row_bytes<N>() + column * static_cast<std::ptrdiff_t>(image<N>().pixel_bytes));
  }

  template <std::uint32_t N>
  auto call_at(std::int32_t row, std::int32_t end, std::int32_t column) -> row_call<N> {
    row_call<N> call{{base_}};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (set_operand<N, I>(call, row, column), ...);
    }(std::make_index_sequence<operands_of(N)>{});
    if constexpr (is_linked(N)) {
      call.to = pixels_from<N>(row, column);
    } else if constexpr (N != last && kept(N).in_user) {
      call.to = pixels_from<N>(row, 0);
    } else if constexpr (N != last) {
      call.to = rows_from<N>(end);
    }
    return call;
  }
  template <std::uint32_t N, std::size_t I>
  void set_operand(row_call<N>& call, [[maybe_unused]] std::int32_t row, [[maybe_unused]] std::int32_t column) {
    constexpr auto from = producer(N, I);
    if constexpr (from != npos) {
      if constexpr (is_linked(from)) {
        call.from[I] = pixels_from<from>(row, column);
      } else if constexpr (kept(from).in_user) {
        call.from[I] = pixels_from<from>(row, 0);
      } else {
        call.from[I] = rows_from<from>(done(from));
      }
    }
  }

  /// Computes the next rows of node `N`. All of them are before row `limit`. A separate function calls the kernel, so that the stack holds
  /// only one kernel's frame at a time.
  template <std::uint32_t N>
  [[gnu::noinline]] void advance([[maybe_unused]] std::int32_t limit) {
    if constexpr (is_summed<N>()) {
      sum<N>();
    } else {
      static constexpr auto group = lockstep(N);
      const auto row = done(N);
      const auto end = end_of_step<N>(row, limit);
      [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
        (supply<group.nodes[I]>(end), ...);
        compute<N>(row, end);
        ((done(group.nodes[I]) = end), ...);
      }(std::make_integer_sequence<std::uint32_t, group.size>{});
    }
  }

  template <std::uint32_t N>
  static auto end_of_step(std::int32_t row, std::int32_t limit) -> std::int32_t {
    if constexpr (rows_per_step<N>() == 1) {
      return row + 1;
    } else {
      return std::min(row + rows_per_step<N>(), limit);
    }
  }

  /// Computes the operand rows that node `N` needs for its own rows before row `end`.
  template <std::uint32_t N>
  void supply(std::int32_t end) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (supply_operand<N, I>(end), ...); }(std::make_index_sequence<operands_of(N)>{});
  }
  template <std::uint32_t N, std::size_t I>
  void supply_operand([[maybe_unused]] std::int32_t end) {
    constexpr auto from = producer(N, I);
    if constexpr (from != npos) {
      if constexpr (!is_linked(from)) {
        const auto demand = demand_of_rows<N, I>(end);
        while (done(from) < demand.needed) advance<from>(demand.max);
      }
    }
  }
  /// Returns the demand (`row_demand`) for operand `I` in a step of node `N` (one call of `compute_rows`) that ends before row `end`. A
  /// node of the segment must produce the operand.
  template <std::uint32_t N, std::size_t I>
  static auto demand_of_rows(std::int32_t end) {
    constexpr auto from = producer(N, I);
    constexpr auto window = facts_of<N>.operand(I).window;
    return demand_of(window.rows, end, rows_per_step<N>(), image<from>().rows, rows_per_step<from>());
  }

  /// Moves the kept rows of node `N`'s output to lower addresses, so that rows [`row`, `end`) fit after them.
  template <std::uint32_t N>
  void shift_rows(std::int32_t row, [[maybe_unused]] std::int32_t end) {
    constexpr auto rows = kept(N).rows;
    if constexpr (rows > 1) {
      const std::int32_t count = rows_per_step<N>() == 1 ? 1 : end - row;
      char* begin = memory_ + kept(N).offset;
      // In the first steps, the kept rows at the lowest addresses are not computed yet. They are moved nevertheless, so that the number of
      // moved bytes is a constant.
      if (row != 0) move_down(begin, begin + count * row_bytes<N>(), static_cast<std::size_t>((rows - count) * row_bytes<N>()));
    }
  }

  /// Makes room for rows [`row`, `end`) of node `N`'s output, by moving kept rows to lower addresses. There are four cases:
  /// - Usually, the kept rows of node `N` are moved.
  /// - If the rows of node `N` begin in the newest row of their user (`kept_rows::in_user`), the kept rows of the user are moved instead.
  /// - If several operand rows begin in the newest row of node `N`, node `N` computes one output row from each of them, one by one. Before
  ///   each of these output rows except the first, the kept rows of node `N` and the unused operand rows are moved by one row.
  /// - Nothing is moved if one operand row begins in the newest row of node `N`, because the kept rows were moved before this operand row
  ///   was computed. Nothing is moved either if the rows of node `N` are in the output of the segment (`kept_rows::in_output`).
  template <std::uint32_t N>
  void make_room(std::int32_t row, std::int32_t end) {
    constexpr auto inner = producer_in(N);
    if constexpr (kept(N).in_user) {
      shift_rows<user_of(N)>(row, row + 1);
    } else if constexpr (inner == npos) {
      if constexpr (!kept(N).in_output) shift_rows<N>(row, end);
    } else if constexpr (kept(inner).rows > 1) {
      if (row % kept(inner).rows == 0) return;
      shift_rows<N>(row, end);
      char* begin = memory_ + kept(inner).offset;
      move_down(begin, begin + row_bytes<inner>(), static_cast<std::size_t>((done(inner) - row) * row_bytes<inner>()));
    }
  }

  template <std::uint32_t N>
  [[gnu::noinline]] void compute(std::int32_t row, std::int32_t end) {
    static constexpr auto group = lockstep(N);
    constexpr auto step = pixels_per_step(group);
    if constexpr (N != last) make_room<N>(row, end);
    if constexpr (step == 0) {
      kernel<N>::compute_rows(call_at<N>(row, end, 0), row, end);
    } else {
      constexpr auto columns = image<N>().columns;
      for (std::int32_t column = 0; column < columns; column += step) {
        const auto last_column = std::min(columns, column + step);
        [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
          (kernel<group.nodes[I]>::compute_pixels(call_at<group.nodes[I]>(row, end, column), row, column, last_column), ...);
        }(std::make_integer_sequence<std::uint32_t, group.size>{});
      }
    }
  }

  /// Computes a node whose only output row is a sum over all rows of its operand.
  template <std::uint32_t N>
  void sum() {
    constexpr auto operand = operand_in_segment(N);
    constexpr auto from = producer(N, operand);
    char* sums = memory_ + kept(N).offset;
    kernel<N>::start_sums(call_at<N>(0, 1, 0), sums);
    for (std::int32_t row = 0; row < image<from>().rows; ++row) {
      while (done(from) <= row) advance<from>(image<from>().rows);
      kernel<N>::add_row(call_at<N>(0, 1, 0), sums, row);
    }
    kernel<N>::finish_sums(call_at<N>(0, 1, 0), sums);
    ++done(N);
  }
  /// Computes one slice (the work of one call of `step`, see `in_slices`) of `sum`: adds row `row` of the operand to the sum. If this row
  /// is not yet computed, computes rows of the operand instead.
  void sum_slice(std::int32_t& row) {
    constexpr auto from = producer(last, operand_in_segment(last));
    if (done(from) <= row) return advance_slice<from>(image<from>().rows);
    char* sums = memory_ + kept(last).offset;
    if (row == 0) kernel<last>::start_sums(call_at<last>(0, 1, 0), sums);
    kernel<last>::add_row(call_at<last>(0, 1, 0), sums, row);
    if (++row < image<from>().rows) return;
    kernel<last>::finish_sums(call_at<last>(0, 1, 0), sums);
    ++done(last);
  }
  /// Computes one slice of `advance<N>(limit)`: the next rows of node `N`, or rows of one producer if operand rows are missing.
  template <std::uint32_t N>
  void advance_slice(std::int32_t limit) {
    static constexpr auto group = lockstep(N);
    const auto row = done(N);
    const auto end = end_of_step<N>(row, limit);
    [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
      if ((supply_slice<group.nodes[I]>(end) || ...)) return;
      compute<N>(row, end);
      ((done(group.nodes[I]) = end), ...);
    }(std::make_integer_sequence<std::uint32_t, group.size>{});
  }
  /// Computes rows of the first operand of node `N` that lacks rows. Returns false if no operand lacks rows.
  template <std::uint32_t N>
  auto supply_slice(std::int32_t end) -> bool {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (supply_operand_slice<N, I>(end) || ...);
    }(std::make_index_sequence<operands_of(N)>{});
  }
  template <std::uint32_t N, std::size_t I>
  auto supply_operand_slice([[maybe_unused]] std::int32_t end) -> bool {
    constexpr auto from = producer(N, I);
    if constexpr (from != npos) {
      if constexpr (!is_linked(from)) {
        const auto demand = demand_of_rows<N, I>(end);
        if (done(from) >= demand.needed) return false;
        advance_slice<from>(demand.max);
        return true;
      }
    }
    return false;
  }
  template <std::uint32_t N>
  void notify_before() {
    const call_of<N> call{base_};
    if constexpr (requires { observer_.before(call); }) observer_.before(call);
  }
  template <std::uint32_t N>
  void notify() {
    notify_before<N>();
    observer_(call_of<N>{base_});
  }

  char* base_;
  char* memory_;
  Observer& observer_;
  std::array<std::int32_t, Count> done_{};  ///< number of computed rows of each node
};

}  // namespace baton::detail
