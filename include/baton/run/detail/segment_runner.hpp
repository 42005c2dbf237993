// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the nodes of a segment row by row.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace baton::detail {

/// Moves bytes down in memory, where they may lie on themselves. By words: the small C libraries move byte by byte.
inline void move_down(char* to, const char* from, std::size_t bytes) {
  struct words {
    std::uint32_t each[4];
  };
  std::size_t at = 0;
  for (; at + sizeof(words) <= bytes; at += sizeof(words)) {
    words some;
    std::memcpy(&some, from + at, sizeof some);
    std::memcpy(to + at, &some, sizeof some);
  }
  for (; at < bytes; ++at) to[at] = from[at];
}

/// An address so many bytes before another, which need not be one of memory: rows that are kept lie behind it.
inline auto bytes_before(char* at, std::ptrdiff_t bytes) -> char* {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(at) - static_cast<std::uintptr_t>(bytes));
}

/// Runs the segment of `Count` nodes that begins at a place of the schedule; its nodes are counted from 0 here. A row of a node is made
/// when another needs it; of a value inside, the last rows lie one behind the other, and move up when the next ones are made. Kernels find
/// rows where they would lie if all were there. An observer is told of each node once; what the whole segment takes is the first one's.
template <class Execution, class Observer, std::uint32_t First, std::uint32_t Count>
class segment_runner {
 public:
  segment_runner(char* base, Observer& after)
      : base_(base),
        memory_(Execution::memory_map::template memory<Execution::tables.scratch[node_at(0)]>(base)),
        after_(after) {}

  void run() {
    tell_before<0>();
    while (done(last) < image<last>().rows) make<last>(image<last>().rows);
    after_(call_of<0>{base_});
    [this]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
      (this->template tell<1 + I>(), ...);
    }(std::make_integer_sequence<std::uint32_t, Count - 1>{});
  }

 private:
  static constexpr std::uint32_t last = Count - 1;
  /// The node of the program at a place of the segment.
  static constexpr auto node_at(std::uint32_t n) -> std::uint32_t { return index(Execution::tables.node[First + n]); }

  template <std::uint32_t N>
  using kernel = typename Execution::template kernel_type<node_at(N)>;
  template <std::uint32_t N>
  using call_of = node_call<typename Execution::program_type, node_at(N), typename Execution::memory_map>;

  template <std::uint32_t N>
  static constexpr const kernel_facts& facts_of = node_facts<kernel<N>, call_of<N>>;

  /// The nodes that are computed together, in their order.
  struct node_list {
    std::array<std::uint32_t, Count> nodes{};
    std::uint32_t size = 0;
  };

  static constexpr auto view() -> program_view { return Execution::view(); }
  static constexpr auto kept(std::uint32_t n) -> kept_rows { return Execution::tables.kept[First + n]; }
  static constexpr auto record_of(std::uint32_t n) -> const node& { return Execution::program_type::value().nodes[node_at(n)]; }
  static constexpr auto output_of(std::uint32_t n) -> value_id { return view().outputs_of(record_of(n))[0]; }
  static constexpr auto operands_of(std::uint32_t n) -> std::size_t { return record_of(n).inputs.size; }
  /// The node of the segment that makes an operand; `npos`: none does.
  static constexpr auto producer(std::uint32_t n, std::size_t operand) -> std::uint32_t {
    for (std::uint32_t from = 0; from < n; ++from) {
      if (output_of(from) == view().inputs(record_of(n))[operand]) return from;
    }
    return npos;
  }
  static constexpr auto is_linked(std::uint32_t n) -> bool { return n != last && kept(n).pixels != 0; }
  static constexpr auto lockstep(std::uint32_t n) -> node_list {
    std::array<bool, Count> is_in{};
    is_in[n] = true;
    for (auto user = n; user > 0; --user) {
      if (!is_in[user]) continue;
      for (std::size_t i = 0; i < operands_of(user); ++i) {
        const auto from = producer(user, i);
        if (from != npos && is_linked(from)) is_in[from] = true;
      }
    }
    node_list found;
    for (std::uint32_t i = 0; i < Count; ++i) {
      if (is_in[i]) found.nodes[found.size++] = i;
    }
    return found;
  }
  /// How many pixels those that are computed together do at once; 0: whole rows.
  static constexpr auto pixels_at_once(const node_list& together) -> std::int32_t {
    std::int32_t pixels = 0;
    for (std::uint32_t i = 0; i + 1 < together.size; ++i) {
      const auto of_link = kept(together.nodes[i]).pixels;
      pixels = pixels == 0 ? of_link : std::min(pixels, of_link);
    }
    return pixels;
  }
  template <std::uint32_t N>
  static constexpr auto image() -> image_facts {
    return image_of(view(), output_of(N));
  }
  template <std::uint32_t N>
  static constexpr auto row_bytes() -> std::ptrdiff_t {
    return static_cast<std::ptrdiff_t>(image<N>().pixel_bytes) * image<N>().columns;
  }
  template <std::uint32_t N>
  static constexpr auto rows_at_once() -> std::int32_t {
    return std::clamp<std::int32_t>(facts_of<N>.rows_per_step, 1, image<N>().rows);
  }
  template <std::uint32_t N>
  static constexpr auto is_summed() -> bool {
    return N != 0 && N == last && facts_of<N>.sum_bytes != 0;
  }

  /// A node's call that finds operands and output where the segment has them.
  template <std::uint32_t N>
  struct row_call : call_of<N> {
    std::array<const char*, operands_of(N)> from{};
    char* to = nullptr;

    template <std::size_t I>
    auto input() const -> const char* {
      if constexpr (producer(N, I) != npos) {
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
        return to;
      }
    }
  };

  auto done(std::uint32_t n) -> std::int32_t& { return done_[n]; }

  /// Where row 0 of what a node makes would lie, when so many of its rows are made.
  template <std::uint32_t N>
  auto rows_from(std::int32_t made) const -> char* {
    constexpr auto rows = kept(N).rows;
    return bytes_before(memory_ + kept(N).offset, std::max<std::int32_t>(0, made - rows) * row_bytes<N>());
  }
  /// The same of a pixel link that holds pixels from `column` on.
  template <std::uint32_t N>
  auto pixels_from(std::int32_t row, std::int32_t column) const -> char* {
    return bytes_before(memory_ + kept(N).offset, row * row_bytes<N>() + column * static_cast<std::ptrdiff_t>(image<N>().pixel_bytes));
  }

  template <std::uint32_t N>
  auto call_at(std::int32_t row, std::int32_t end, std::int32_t column) -> row_call<N> {
    row_call<N> made{{base_}};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (find_operand<N, I>(made, row, column), ...);
    }(std::make_index_sequence<operands_of(N)>{});
    if constexpr (is_linked(N)) {
      made.to = pixels_from<N>(row, column);
    } else if constexpr (N != last) {
      made.to = rows_from<N>(end);
    }
    return made;
  }
  template <std::uint32_t N, std::size_t I>
  void find_operand(row_call<N>& made, [[maybe_unused]] std::int32_t row, [[maybe_unused]] std::int32_t column) {
    constexpr auto from = producer(N, I);
    if constexpr (from != npos) {
      if constexpr (is_linked(from)) {
        made.from[I] = pixels_from<from>(row, column);
      } else {
        made.from[I] = rows_from<from>(done(from));
      }
    }
  }

  /// Makes the next rows of a node, none behind `most`. What computes is another function, so that no more than one kernel's memory is on
  /// the stack.
  template <std::uint32_t N>
  [[gnu::noinline]] void make([[maybe_unused]] std::int32_t most) {
    if constexpr (is_summed<N>()) {
      sum<N>();
    } else {
      static constexpr auto together = lockstep(N);
      const auto row = done(N);
      const auto end = end_of_step<N>(row, most);
      [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
        (supply<together.nodes[I]>(end), ...);
        compute<N>(row, end);
        ((done(together.nodes[I]) = end), ...);
      }(std::make_integer_sequence<std::uint32_t, together.size>{});
    }
  }

  template <std::uint32_t N>
  static auto end_of_step(std::int32_t row, std::int32_t most) -> std::int32_t {
    if constexpr (rows_at_once<N>() == 1) {
      return row + 1;
    } else {
      return std::min(row + rows_at_once<N>(), most);
    }
  }

  /// Makes the rows that a node needs for its own up to `end`.
  template <std::uint32_t N>
  void supply(std::int32_t end) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (supply_operand<N, I>(end), ...); }(std::make_index_sequence<operands_of(N)>{});
  }
  template <std::uint32_t N, std::size_t I>
  void supply_operand([[maybe_unused]] std::int32_t end) {
    constexpr auto from = producer(N, I);
    if constexpr (from != npos) {
      if constexpr (!is_linked(from)) {
        constexpr auto window = facts_of<N>.operand(I).window;
        const auto demand = demand_of(window.rows, end, rows_at_once<N>(), image<from>().rows, rows_at_once<from>());
        while (done(from) < demand.needed) make<from>(demand.most);
      }
    }
  }

  /// Makes room for rows up to `end` behind those up to `row`.
  template <std::uint32_t N>
  void move_up(std::int32_t row, [[maybe_unused]] std::int32_t end) {
    constexpr auto rows = kept(N).rows;
    char* begin = memory_ + kept(N).offset;
    if constexpr (rows_at_once<N>() == 1) {
      if (row >= rows) move_down(begin, begin + row_bytes<N>(), static_cast<std::size_t>((rows - 1) * row_bytes<N>()));
    } else {
      const auto first = std::max<std::int32_t>(0, row - rows);
      const auto next = std::max<std::int32_t>(0, end - rows);
      if (next != first) move_down(begin, begin + (next - first) * row_bytes<N>(), static_cast<std::size_t>((row - next) * row_bytes<N>()));
    }
  }

  template <std::uint32_t N>
  [[gnu::noinline]] void compute(std::int32_t row, std::int32_t end) {
    static constexpr auto together = lockstep(N);
    constexpr auto at_once = pixels_at_once(together);
    if constexpr (N != last && kept(N).rows > 1) move_up<N>(row, end);
    if constexpr (at_once == 0) {
      kernel<N>::compute_rows(call_at<N>(row, end, 0), row, end);
    } else {
      constexpr auto columns = image<N>().columns;
      for (std::int32_t column = 0; column < columns; column += at_once) {
        const auto last_column = std::min(columns, column + at_once);
        [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
          (kernel<together.nodes[I]>::compute_pixels(call_at<together.nodes[I]>(row, end, column), row, column, last_column), ...);
        }(std::make_integer_sequence<std::uint32_t, together.size>{});
      }
    }
  }

  /// A node whose only row is summed up from rows of its operand.
  template <std::uint32_t N>
  void sum() {
    constexpr auto operand = operand_in_segment(N);
    constexpr auto from = producer(N, operand);
    char* sums = memory_ + kept(N).offset;
    kernel<N>::start_sums(call_at<N>(0, 1, 0), sums);
    for (std::int32_t row = 0; row < image<from>().rows; ++row) {
      while (done(from) <= row) make<from>(image<from>().rows);
      kernel<N>::add_row(call_at<N>(0, 1, 0), sums, row);
    }
    kernel<N>::finish_sums(call_at<N>(0, 1, 0), sums);
    ++done(N);
  }
  static constexpr auto operand_in_segment(std::uint32_t n) -> std::size_t {
    std::size_t operand = 0;
    while (producer(n, operand) == npos) ++operand;
    return operand;
  }

  template <std::uint32_t N>
  void tell_before() {
    const call_of<N> call{base_};
    if constexpr (requires { after_.before(call); }) after_.before(call);
  }
  template <std::uint32_t N>
  void tell() {
    tell_before<N>();
    after_(call_of<N>{base_});
  }

  char* base_;
  char* memory_;
  Observer& after_;
  std::array<std::int32_t, Count> done_{};  ///< rows, by node
};

}  // namespace baton::detail
