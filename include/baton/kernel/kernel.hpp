// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernel concept, and lists of kernels. The kernel of each node is chosen from a list at compile time.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/detail/require_kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/operators/operator_dialect.hpp>
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

/// A minimal kernel, which refuses every node.
struct kernel {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {refuse()}; }
  static void compute(const no_plan&, const node_memory&) {}
};

}  // namespace archetypes

/// A kernel computes the nodes that it supports. A kernel is a struct of static functions:
/// - `static constexpr literal_name operators[]`: the operators for which `describe` is called. Without this member, `describe` is called
///   for every node.
/// - `static constexpr auto describe(const program_view& program, const node& record) -> node_description<Plan>`: returns whether the
///   kernel supports the node. If so, also returns the plan of the computation and the facts for the memory planner. `describe` must check
///   everything that `compute` relies on: operands, dtypes, shapes and attributes. `describe` may have a third parameter, `describe_for
///   purpose = describe_for::computing`. If `purpose` is `planning`, `describe` may omit tables of the plan that take long to compute.
/// - `static void compute(const Plan& plan, const node_memory& at)`: computes the node. The plan is a constant, so loops have constant
///   bounds if `compute` is inlined. Tests may call `compute` with a plan that is computed at run time.
/// - `template <class Call> static void compute(const Call& call)`, instead or in addition: computes the node from a `node_call`. Use this
///   overload to instantiate code for each node. If a kernel has both overloads, the overload with a `node_call` is called.
///
/// Optional functions:
/// - `static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<T> to)`: computes
///   consecutive blocks of a constant (`kernel_facts::prepared`), beginning with block `first`, until `to` is full. `to` is
///   zero-initialized. A large constant is computed in several constant expressions, because compilers limit the steps of one expression.
///   The executable image contains the constant as one array. Two nodes share the array if they have the same operator, equal prepared
///   constants, and equal weights (or neither has weights). Law: a block does not depend on how many blocks one call computes.
/// - `template <class Call> static void compute_rows(const Call& call, std::int32_t first, std::int32_t last)`: computes only the output
///   rows [`first`, `last`). Writes the pixels in row-major order, with the channels innermost. A kernel declares a window for an operand:
///   the operand rows that an output row depends on (see `row_window`). If every operand in the arena has a window, a memory policy may
///   decide that the node is computed row by row. In this case, only the operand rows in the windows are in memory. Each row is at the
///   address that it would have if the whole operand were in memory. Scratch does not keep its contents between calls.
/// - `template <class Call> static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last)`:
///   computes the columns [`first`, `last`) of the output row `row`. If the window of an operand is one pixel
///   (`row_window::is_pixelwise`), the function may read only the pixels of the operand in these columns. The other pixels need not be in
///   memory.
/// - `template <class Call> static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last)`: computes the chunks
///   [`first`, `last`) of a node. A chunk is a small part of the output, for example some output channels of a fully connected layer. Write
///   this function for nodes that have no rows, or long rows. `kernel_facts::chunks` is the number of chunks. An executor that limits its
///   slices (the work of one call of `step`, see `in_slices`) calls `compute_chunks` for all chunks, in ascending order. Scratch keeps its
///   contents between these calls.
/// - `start_sums(call, char* sums)`, `add_row(call, char* sums, std::int32_t row)` and `finish_sums(call, const char* sums)`: compute an
///   output that has one row, by accumulating the rows of the operand. `add_row` is called once for each operand row, in ascending order.
///   `kernel_facts::sum_bytes` is the size of `sums`.
///
/// Optional type: `using forms = kernel_list<Other...>`: other kernels (the forms of this kernel) that compute the same nodes with other
/// needs, such as less scratch. Only an executor with limits (`within`) selects one of them; all other executors use the kernel itself. A
/// form may refuse nodes that the kernel supports. Law: a form has the same outputs as the kernel. Forms of forms are ignored.
///
/// Laws: `describe` depends only on the node. `compute` writes every byte of every output, and nothing else except scratch and, for
/// operators with state, the node's mutable buffers. `compute_rows`, `compute_pixels`, `compute_chunks` and `finish_sums` produce the same
/// output as `compute`. A kernel computes a single node. To compute several nodes in one call, write a backend.
template <class T>
concept kernel = describing_kernel<T> && (plan_kernel<T> || call_kernel<T>);
static_assert(kernel<archetypes::kernel>);

namespace detail {
/// The list of a kernel and its forms.
template <class Kernel>
struct kernel_with_forms : std::type_identity<kernel_list<Kernel>> {};
template <class Kernel>
  requires requires { typename Kernel::forms; }
struct kernel_with_forms<Kernel> {
  template <class... Forms>
  static auto join(kernel_list<Forms...>) -> kernel_list<Kernel, Forms...>;
  using type = decltype(join(typename Kernel::forms{}));
};

/// Concatenates lists, up to eight lists in one step. Fewer steps take less compile time, because each step instantiates an intermediate
/// list.
template <class... Lists>
struct joined_lists : std::type_identity<kernel_list<>> {};
template <class... A>
struct joined_lists<kernel_list<A...>> : std::type_identity<kernel_list<A...>> {};
template <class... A, class... B, class... Lists>
struct joined_lists<kernel_list<A...>, kernel_list<B...>, Lists...> : joined_lists<kernel_list<A..., B...>, Lists...> {};
template <class... A, class... B, class... C, class... D, class... E, class... F, class... G, class... H, class... Lists>
struct joined_lists<kernel_list<A...>, kernel_list<B...>, kernel_list<C...>, kernel_list<D...>, kernel_list<E...>, kernel_list<F...>,
                    kernel_list<G...>, kernel_list<H...>, Lists...>
    : joined_lists<kernel_list<A..., B..., C..., D..., E..., F..., G..., H...>, Lists...> {};
}  // namespace detail

/// A list of kernels. The first kernel of the list that supports a node computes it.
template <class... Kernels>
struct kernel_list {
  static constexpr boost::hana::tuple<boost::hana::type<Kernels>...> types{};
  static constexpr std::size_t size = sizeof...(Kernels);
  /// The kernel at position I.
  template <std::size_t I>
  using at = typename std::remove_cvref_t<decltype(boost::hana::at_c<I>(types))>::type;

  /// Returns the list in which each kernel is followed by its forms.
  static constexpr auto with_forms() { return typename detail::joined_lists<typename detail::kernel_with_forms<Kernels>::type...>::type{}; }
};

namespace detail {
// `kernels` checks its kernels, but `kernel_list` does not. The default lists are declared as `kernel_list<...>`, so a file that includes
// them does not compile the checks of all their kernels. Instead, a test checks the default lists.
template <class... Kernels>
consteval auto list_of_kernels() -> kernel_list<Kernels...> {
  static_assert(((static_cast<void>(require_kernel<Kernels>()), true) && ...));  // `require_kernel` reports the error of each kernel
  return {};
}
}  // namespace detail

/// A list of kernels as an object: `baton::kernels<my_convolution, baton::portable::conv_2d>`. `+` concatenates two lists.
template <class... Kernels>
inline constexpr kernel_list<Kernels...> kernels = detail::list_of_kernels<Kernels...>();

template <class... Left, class... Right>
constexpr auto operator+(kernel_list<Left...>, kernel_list<Right...>) -> kernel_list<Left..., Right...> {
  return {};
}

/// Returns a kernel's description of a node, with an empty plan. A refusal without a reason means that the kernel does not know the
/// operator.
template <kernel Kernel>
constexpr auto ask_kernel(const program_view& program, const node& record) -> node_description<> {
  if constexpr (requires { Kernel::operators; }) {
    if (!is_among(record.op, Kernel::operators)) return {refuse()};
  }
  if constexpr (requires { Kernel::describe(program, record, describe_for::planning); }) {
    auto answer = Kernel::describe(program, record, describe_for::planning);
    return {std::move(answer.support), {}, answer.facts};
  } else {
    auto answer = Kernel::describe(program, record);
    return {std::move(answer.support), {}, answer.facts};
  }
}

/// The choice of a kernel for a node: the position of the kernel in its list, or the reason why no kernel supports the node.
struct kernel_choice {
  std::size_t index = 0;
  verdict support;
  kernel_facts facts{};
};

namespace detail {
/// Calls `ask_kernel` if `at`, the position of `Kernel` in its list, is in the range `among`. Stores the kernel's answer in `choice`,
/// except a refusal without a reason. Returns true if the kernel supports the node.
template <class Kernel>
constexpr auto try_kernel(std::size_t at, const program_view& program, const node& record, range among, kernel_choice& choice) -> bool {
  if (at < among.first || at - among.first >= among.size) return false;
  if constexpr (requires { Kernel::operators; }) {  // avoids the call of `ask_kernel` for most kernels
    if (!is_among(record.op, Kernel::operators)) return false;
  }
  auto answer = ask_kernel<Kernel>(program, record);
  if (answer.support || !answer.support.reason.empty()) choice = {at, std::move(answer.support), answer.facts};
  return choice.support.accepted;
}
}  // namespace detail

/// Searches the positions `among` of a list (by default, all positions). Returns the first kernel that supports the node. If no kernel
/// supports the node, the result contains the reason of the last kernel that knows the operator. If no kernel knows the operator, the
/// reason states that no kernel in the list supports the operator.
template <class... Kernels>
constexpr auto choose_kernel(kernel_list<Kernels...>, const program_view& program, const node& record,
                             [[maybe_unused]] range among = {0, sizeof...(Kernels)}) -> kernel_choice {
  kernel_choice choice;
  [[maybe_unused]] std::size_t at = 0;
  static_cast<void>((... || detail::try_kernel<Kernels>(at++, program, record, among, choice)));
  if (!choice.support && choice.support.reason.empty()) {
    auto& reason = choice.support.reason;
    reason = join("no kernel in the list supports this operator");
    const operator_dialect* const dialects[] = {program.dialect};
    const auto misspelled = check_operator_name(program.text(record.target), dialects);
    if (misspelled) append(append(reason, ", and no known operator has this name; "), view(misspelled.reason));
    if (is_signal_operator(record.op)) append(reason, "; add baton::signal_kernels, from baton/kernels/signal_kernels.hpp");
  }
  return choice;
}

}  // namespace baton
