// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernel concept: what computes a node, chosen by the compiler from a static list.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/detail/require_kernel.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/shared/archetype_call.hpp>
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/operators/shared/signal_operators.hpp>

#include <boost/hana/at.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace baton {

namespace archetypes {

/// The smallest kernel.
struct kernel {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
  template <class Call>
  static void run(const Call&) {}
};

}  // namespace archetypes

/// A kernel computes the nodes that it supports.
/// - `static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict` says whether, and if not, why;
///   it checks everything that `run` relies on: operands, dtypes, shapes, attributes.
/// - `template <class Call> static void run(const Call& call)` computes: `Call` is a `node_call`, whose program and node are constants,
///   so that loops have fixed bounds. Small constants of its own it makes from them; large ones it prepares.
///
/// What else it has is looked for by name; whoever has it in another form is told so (not in a `final` class, nor of a `run_rows` that is
/// constrained, as to calls of images: that is seen where it runs). `(...)` stands for `(const baton::program_view&,
/// const baton::node&)`.
///
/// Of its memory:
/// - `static constexpr auto scratch_bytes(...) -> std::uint32_t`: how much memory of its own it needs while it runs, `call.scratch()`,
///   aligned as the plan's values are; what it holds before has no meaning. It is planned into the arena for the step of the node alone.
/// - `static constexpr std::size_t states[]`: the operands that it writes, which stay from run to run; its `supports` demands that they are
///   mutable buffers, and `call.state<I>()` is where one lies. Other kernels write no operand.
/// - `static constexpr auto prepared_size(...) -> baton::prepared_blocks<T>` and `static constexpr void prepare(const baton::program_view&,
///   const baton::node&, std::size_t first, baton::span<T> to)`: constants that it makes of a node, blocks from number `first` on, as many
///   as `to` has room for; it holds zeros before. `call.prepared()` is all of them: a span, aligned to 4 bytes at least. The compiler makes
///   it in as many constants as its limits ask for, and joins them: on the target it is one array, and nodes whose weights and results
///   are equal have one together. Law: blocks are the same, however many are made at once.
/// - `static constexpr auto read_ahead_bytes(...) -> std::uint32_t`: how far it reads behind the ends of its operands. What it reads there
///   has no meaning; the arena is so much larger that the memory is there. Behind a constant lies what the image has there.
/// - `static constexpr bool forwards_input = true`: it hands its first operand on unchanged, so that its output can share the operand's
///   memory; it copies only where the two addresses differ.
/// - `static constexpr auto nesting_of(...) -> baton::nesting`: it joins or parts values that lie one behind the other. The plan may place
///   the parts so, and it copies only where the addresses differ.
/// - `static constexpr auto distance_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance`: how
///   near its output may lie to an operand that nothing reads later; asked of operands of nodes with one output. A policy may then place
///   them so near, and `run` must write in the order that `call.order()` says. Law: at the distance that it says, in that order, it reads
///   nothing that it has written over.
///
/// By rows, which a policy that streams keeps in the place of values:
/// - `static constexpr auto window_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::row_window`: of an
///   output [1, H', W', C'], which rows and columns of an operand a pixel is made from; `row_window::none()`: the node is not computed by
///   rows.
/// - `template <class Call> static void run_rows(const Call& call, std::int32_t first, std::int32_t last)`: computes the output rows from
///   `first` to before `last` alone, pixels in row-major order with the channels inside. Where `window_of` tells of all operands in memory,
///   it is called for one row after the other, and finds of the operands the rows that it needs, where they would lie if all were there.
///   Law: it reads no others, and what it has in scratch between two calls has no meaning.
/// - `static constexpr auto rows_at_once(...) -> std::int32_t`: it takes less for several rows than for each alone. `run_rows` is then
///   called for so many, or for fewer where no more are there or asked for.
/// - `template <class Call> static void run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last)`: computes
///   pixels of an output row alone, from column `first` to before `last`. It finds the rows, or the pixels where its windows are of one
///   pixel, that it needs.
/// - `static constexpr auto sum_bytes(...) -> std::uint32_t`: it can make an output of one row from rows of its operand that come one after
///   the other, and needs so much memory until then (0: it cannot). `start_sums(call, char* sums)` begins, `add_row(call, char* sums,
///   std::int32_t row)` takes a row of the operand, `finish_sums(call, const char* sums)` writes the output.
///
/// Laws: `supports` depends on the node alone; `run` writes every byte of every output, and nothing else but its scratch and its states;
/// by rows it gives what it gives as a whole. Models: everything in `baton/kernels`. Do not write one for what a whole part does better:
/// that is a backend.
template <class T>
concept kernel = requires(const program_view& program, const node& record, const archetype_call& call) {
  { T::supports(program, record) } -> std::same_as<verdict>;
  { T::run(call) } -> std::same_as<void>;
};
static_assert(kernel<archetypes::kernel>);

/// A list of kernels, in the order in which they are asked; the first that supports a node computes it.
template <class... Kernels>
struct kernel_list {
  static constexpr boost::hana::tuple<boost::hana::type<Kernels>...> types{};
  static constexpr std::size_t size = sizeof...(Kernels);
  /// The kernel at position I.
  template <std::size_t I>
  using at = typename std::remove_cvref_t<decltype(boost::hana::at_c<I>(types))>::type;
};

namespace detail {
// Not by the list: of those that come with Baton, a test has shown it, and each includer would pay for sixty.
template <class... Kernels>
consteval auto list_of_kernels() -> kernel_list<Kernels...> {
  static_assert(((static_cast<void>(require_kernel<Kernels>()), true) && ...));  // each says for itself what is wrong
  return {};
}
}  // namespace detail

/// `baton::kernels<my_convolution, baton::portable::conv_2d>`: a list as an object. Lists join with `+`.
template <class... Kernels>
inline constexpr kernel_list<Kernels...> kernels = detail::list_of_kernels<Kernels...>();

template <class... Left, class... Right>
constexpr auto operator+(kernel_list<Left...>, kernel_list<Right...>) -> kernel_list<Left..., Right...> {
  return {};
}

/// Which kernel of a list computes a node, or why none does.
struct kernel_choice {
  std::size_t index = 0;
  verdict found;
};

namespace detail {
/// Asks a kernel at its place in a list, if it is among those to be asked; whether the choice is made.
template <class Kernel>
constexpr auto ask_kernel(std::size_t at, const program_view& program, const node& record, range among, kernel_choice& choice) -> bool {
  if (at < among.first || at - among.first >= among.size) return false;
  auto answer = Kernel::supports(program, record);
  if (answer || !answer.reason.empty()) choice = {at, std::move(answer)};
  return choice.found.accepted;
}
}  // namespace detail

/// Asks the kernels in order, or those of a run of the list; the reason of a no is that of the kernel that knows the operator.
template <class... Kernels>
constexpr auto choose_kernel(kernel_list<Kernels...>, const program_view& program, const node& record,
                             [[maybe_unused]] range among = {0, sizeof...(Kernels)}) -> kernel_choice {
  kernel_choice choice;
  [[maybe_unused]] std::size_t at = 0;
  static_cast<void>((... || detail::ask_kernel<Kernels>(at++, program, record, among, choice)));
  if (!choice.found && choice.found.reason.empty()) {
    choice.found.reason = join("no kernel in the list knows this operator");
    const auto misspelt = check_operator_name(program.text(record.target));
    if (misspelt) append(append(choice.found.reason, ", nor does TensorFlow Lite; "), view(misspelt.reason));
    if (is_signal_operator(record.op)) {
      append(choice.found.reason, "; add baton::signal_kernels, from baton/kernels/signal_kernels.hpp");
    }
  }
  return choice;
}

}  // namespace baton
