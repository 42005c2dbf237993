// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernel concept: what computes a node, chosen by the compiler from a static list.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/check_operator_name.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/row_window.hpp>
#include <baton/run/prepared.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace baton {

/// One node of a static program, as a kernel sees it while the program is compiled: everything is known but the memory.
/// `MemoryMap` says where values lie: `MemoryMap::template address<Id>(arena)` is the address of a value.
template <class Program, std::uint32_t Index, class MemoryMap>
struct node_call {
  char* arena;

  /// The node's place in the program.
  static constexpr std::uint32_t index = Index;

  static constexpr auto program() -> program_view { return Program::value(); }
  static constexpr auto record() -> const node& { return Program::value().nodes[Index]; }
  static constexpr auto input_id(std::size_t i) -> value_id { return program().inputs(record())[i]; }
  static constexpr auto output_id(std::size_t i) -> value_id { return program().outputs_of(record())[i]; }
  /// Whether the operand is there.
  static constexpr auto has_input(std::size_t i) -> bool { return i < record().inputs.size && input_id(i) != none<value_id>; }

  /// The bytes of operand I: in the arena, or, of a constant, in read-only memory, aligned to 4 bytes at least (of 8 bytes and more to 8).
  /// What no kernel asks for is not in the image.
  template <std::size_t I>
  auto input() const -> const char* {
    return MemoryMap::template address<input_id(I)>(arena);
  }
  /// The bytes of operand I, which is scratch: the node may write them, and finds in them what it may.
  template <std::size_t I>
    requires(program()[input_id(I)].kind == value_kind::scratch)
  auto scratch() const -> char* {
    return MemoryMap::template writable<input_id(I)>(arena);
  }
  /// The bytes of operand I, which is a mutable buffer: what the node writes there stays to the next run.
  template <std::size_t I>
    requires(program()[input_id(I)].kind == value_kind::mutable_buffer)
  auto state() const -> char* {
    return MemoryMap::template writable<input_id(I)>(arena);
  }
  /// What the kernel has prepared of the node (`preparing_kernel`), in read-only memory; of another, nothing.
  static constexpr auto prepared() { return MemoryMap::template prepared<Index>(); }
  /// The order of addresses in which the output must be written, where the kernel declares distances (`overlapping_kernel`) and the plan
  /// lets the output lie on an operand.
  static constexpr auto order() -> write_order { return MemoryMap::order_of(Index); }

  /// Memory of the node's own while it runs, aligned as values are: of a kernel that needs scratch (`scratch_kernel`), a span of so many
  /// bytes as it said; of another, of none.
  auto scratch() const { return MemoryMap::template scratch<Index>(arena); }
  /// The bytes of output I.
  template <std::size_t I>
  auto output() const -> char* {
    return MemoryMap::template writable<output_id(I)>(arena);
  }
};

namespace archetypes {

/// The smallest kernel.
struct kernel {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
  template <class Call>
  static void run(const Call&) {}
};

struct make_program {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    build.output(build.call("archetype.copy", {build.user_input("x", tensor(dtype::int8, 1))}, tensor(dtype::int8, 1)));
    return build.finish();
  }
};
struct memory_map {
  template <value_id>
  static auto address(char* arena) -> const char* {
    return arena;
  }
  template <value_id>
  static auto writable(char* arena) -> char* {
    return arena;
  }
  static constexpr auto order_of(std::uint32_t) -> write_order { return write_order::ascending; }
  template <std::uint32_t>
  static auto scratch(char* arena) -> span<char> {
    return {arena, 0};
  }
  template <std::uint32_t>
  static constexpr auto prepared() -> span<const char> {
    return {};
  }
};
using call = node_call<static_program<make_program>, 0, memory_map>;

}  // namespace archetypes

/// A kernel computes the nodes that it supports.
/// - `static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict` says whether, and if not, why;
///   it checks everything that `run` relies on: operands, dtypes, shapes, attributes.
/// - `template <class Call> static void run(const Call& call)` computes: `Call` is a `node_call`, whose program and node are constants,
///   so that loops have fixed bounds. Small constants of its own it makes from them; large ones it prepares (`preparing_kernel`).
/// - What it asks of memory it may say, too: `scratch_kernel`, `reading_ahead_kernel`, `overlapping_kernel`, `forwarding_kernel`,
///   `nesting_kernel`; and how it is run by rows: `row_kernel`, `streaming_kernel`, `row_block_kernel`, `pixel_kernel`, `summing_kernel`.
/// Laws: `supports` depends on the node alone; `run` writes every byte of every output, and nothing else but its scratch and its states (a
/// `stateful_kernel`); a `row_kernel` gives by rows what it gives as a whole.
/// Models: everything in `baton/kernels`. Do not write one for what a whole part does better: that is a backend.
template <class T>
concept kernel = requires(const program_view& program, const node& record, const archetypes::call& call) {
  { T::supports(program, record) } -> std::same_as<verdict>;
  { T::run(call) } -> std::same_as<void>;
};
static_assert(kernel<archetypes::kernel>);

/// Whether a kernel's output may lie on an operand that nothing reads later: `static constexpr auto distance_of(const
/// baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance`, asked of operands of nodes with one output. A
/// policy may then place them so near, and `run` must write in the order that `call.order()` says. Law: at the distance that it says, in
/// that order, it reads nothing that it has written over.
template <class Kernel>
concept overlapping_kernel = requires(const program_view& program, const node& record, std::size_t operand) {
  { Kernel::distance_of(program, record, operand) } -> std::same_as<least_distance>;
};

/// Whether a kernel hands its first operand on unchanged, so that its output can share the operand's memory: `static constexpr bool
/// forwards_input = true;`. Such a kernel copies only where the two addresses differ.
template <class Kernel>
concept forwarding_kernel = requires { requires Kernel::forwards_input; };

/// Which operands of a node may lie inside its only output, or which outputs inside one of its operands, so that nothing is copied.
struct nesting {
  static constexpr std::int64_t nowhere = -1;

  vector<std::int64_t> offsets{};    ///< by operand, or by output: the byte at which it begins, or `nowhere`; empty: none may
  std::size_t whole_operand = npos;  ///< the operand that outputs lie in; `npos`: operands lie in the output
};

/// Whether a kernel joins or parts values that lie one behind the other: `static constexpr auto nesting_of(const baton::program_view&,
/// const baton::node&) -> baton::nesting`. The plan may place the parts so, and such a kernel copies only where the addresses differ.
template <class Kernel>
concept nesting_kernel = requires(const program_view& program, const node& record) {
  { Kernel::nesting_of(program, record) } -> std::same_as<nesting>;
};

/// Whether a kernel needs memory of its own while it runs: `static constexpr auto scratch_bytes(const baton::program_view&, const
/// baton::node&) -> std::uint32_t`. `call.scratch()` is that memory in `run`, aligned as the plan's values are; what it holds before has no
/// meaning. It is planned into the arena for the step of the node alone.
template <class Kernel>
concept scratch_kernel = requires(const program_view& program, const node& record) {
  { Kernel::scratch_bytes(program, record) } -> std::same_as<std::uint32_t>;
};

/// Whether a kernel writes operands that stay from run to run: `static constexpr std::size_t states[]` names them, which its `supports`
/// demands to be mutable buffers; `call.state<I>()` is where one lies. Other kernels write no operand.
template <class Kernel>
concept stateful_kernel = requires {
  { Kernel::states[0] } -> std::convertible_to<std::size_t>;
};

/// Whether a kernel reads behind the ends of its operands: `static constexpr auto read_ahead_bytes(const baton::program_view&, const
/// baton::node&) -> std::uint32_t`. What it reads there has no meaning; the arena is so much larger that the memory is there. Behind a
/// constant lies what the image has there.
template <class Kernel>
concept reading_ahead_kernel = requires(const program_view& program, const node& record) {
  { Kernel::read_ahead_bytes(program, record) } -> std::same_as<std::uint32_t>;
};

/// A kernel that computes the output rows from `first` to before `last` alone, pixels in row-major order with the channels inside:
/// `template <class Call> static void run_rows(const Call& call, std::int32_t first, std::int32_t last)`. `Call` is the node's.
template <class T, class Call = archetypes::call>
concept row_kernel = kernel<T> && requires(const Call& call) {
  { T::run_rows(call, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

/// Whether a policy that streams may keep rows instead of values: `static constexpr auto window_of(const baton::program_view&, const
/// baton::node&, std::size_t operand) -> baton::row_window` says, of an output [1, H', W', C'], which rows and columns of an operand a
/// pixel is made from; `no_rows`: the node is not computed by rows. Where it says so of all operands in memory, `run_rows` is called for
/// one row after the other (a `row_block_kernel` for several), and finds of the operands the rows that it needs, where they would lie if
/// all were there. Law: it reads no others, and what it has in scratch between two calls has no meaning.
template <class Kernel>
concept streaming_kernel = requires(const program_view& program, const node& record, std::size_t operand) {
  { Kernel::window_of(program, record, operand) } -> std::same_as<row_window>;
};

/// Whether a streaming kernel takes less for several rows than for each alone: `static constexpr auto rows_at_once(const
/// baton::program_view&, const baton::node&) -> std::int32_t`. `run_rows` is then called for so many, or for fewer where no more are there
/// or asked for.
template <class Kernel>
concept row_block_kernel = streaming_kernel<Kernel> && requires(const program_view& program, const node& record) {
  { Kernel::rows_at_once(program, record) } -> std::same_as<std::int32_t>;
};

/// Whether a streaming kernel computes pixels of an output row alone, too, from column `first` to before `last`: `template <class Call>
/// static void run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last)`. It finds the rows, or the pixels
/// where its windows are of one pixel, that it needs.
template <class Kernel, class Call = archetypes::call>
concept pixel_kernel = streaming_kernel<Kernel> && requires(const Call& call) {
  { Kernel::run_pixels(call, std::int32_t{0}, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

/// Whether a streaming kernel can make an output of one row from rows of its operand that come one after the other: `static constexpr auto
/// sum_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t` says how much memory it needs until then (0: it cannot);
/// `start_sums(call, char* sums)` begins, `add_row(call, char* sums, std::int32_t row)` takes a row of the operand, `finish_sums(call,
/// const char* sums)` writes the output.
template <class Kernel, class Call = archetypes::call>
concept summing_kernel =
    streaming_kernel<Kernel> && requires(const program_view& program, const node& record, const Call& call, char* sums) {
      { Kernel::sum_bytes(program, record) } -> std::same_as<std::uint32_t>;
      { Kernel::start_sums(call, sums) } -> std::same_as<void>;
      { Kernel::add_row(call, sums, std::int32_t{0}) } -> std::same_as<void>;
      { Kernel::finish_sums(call, sums) } -> std::same_as<void>;
    };

/// Stops the compiler with a sentence if a type is no kernel.
template <class T>
consteval auto require_kernel() -> bool {
  static_assert(
      requires(const program_view& p, const node& n) {
        { T::supports(p, n) } -> std::same_as<verdict>;
      },
      "baton not_a_kernel: a kernel says what it supports; write: static constexpr auto supports(const baton::program_view&, const "
      "baton::node&) -> baton::verdict");
  static_assert(
      requires(const archetypes::call& call) {
        { T::run(call) } -> std::same_as<void>;
      }, "baton not_a_kernel: a kernel computes; write: template <class Call> static void run(const Call& call)");
  if constexpr (requires { &T::scratch_bytes; }) {
    constexpr bool says_how_much = scratch_kernel<T>;
    static_assert(says_how_much,
                  "baton not_a_kernel: a kernel that needs scratch says how many bytes; write: static constexpr auto scratch_bytes(const "
                  "baton::program_view&, const baton::node&) -> std::uint32_t");
  }
  if constexpr (requires { &T::read_ahead_bytes; }) {
    constexpr bool says_how_far = reading_ahead_kernel<T>;
    static_assert(says_how_far,
                  "baton not_a_kernel: a kernel that reads behind its operands says how far; write: static constexpr auto "
                  "read_ahead_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t");
  }
  if constexpr (requires { &T::prepared_size; } || requires { &T::prepare; }) {
    constexpr bool prepares = preparing_kernel<T>;
    static_assert(prepares,
                  "baton not_a_kernel: a kernel that prepares constants says how many elements, and makes them; write: static constexpr "
                  "auto prepared_size(const baton::program_view&, const baton::node&) -> baton::prepared_blocks<T> and static constexpr "
                  "void prepare(const baton::program_view&, const baton::node&, std::size_t first, baton::span<T> to)");
  }
  if constexpr (requires { &T::distance_of; }) {
    constexpr bool says_how_near = overlapping_kernel<T>;
    static_assert(says_how_near,
                  "baton not_a_kernel: a kernel whose output may lie on an operand says how near; write: static constexpr auto "
                  "distance_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance");
  }
  if constexpr (requires { &T::window_of; }) {
    constexpr bool says_what_it_reads = streaming_kernel<T>;
    static_assert(says_what_it_reads,
                  "baton not_a_kernel: a kernel that is run by rows says which rows it reads; write: static constexpr auto window_of(const "
                  "baton::program_view&, const baton::node&, std::size_t operand) -> baton::row_window");
  }
  if constexpr (requires { &T::rows_at_once; }) {
    constexpr bool says_how_many = row_block_kernel<T>;
    static_assert(says_how_many,
                  "baton not_a_kernel: a kernel that makes several rows at once is run by rows, and says how many; write: static constexpr "
                  "auto rows_at_once(const baton::program_view&, const baton::node&) -> std::int32_t beside window_of");
  }
  return kernel<T>;
}

/// A list of kernels, in the order in which they are asked; the first that supports a node computes it.
template <class... Kernels>
struct kernel_list {
  static_assert(((static_cast<void>(require_kernel<Kernels>()), true) && ...));  // each says for itself what is wrong
  static constexpr boost::hana::tuple<boost::hana::type<Kernels>...> types{};
  static constexpr std::size_t size = sizeof...(Kernels);
};

/// `baton::kernels<my_convolution, baton::portable::conv_2d>`: a list as an object. Lists join with `+`.
template <class... Kernels>
inline constexpr kernel_list<Kernels...> kernels{};

template <class... Left, class... Right>
constexpr auto operator+(kernel_list<Left...>, kernel_list<Right...>) -> kernel_list<Left..., Right...> {
  return {};
}

/// Which kernel of a list computes a node, or why none does.
struct kernel_choice {
  std::size_t index = 0;
  verdict found;
};

/// Asks the kernels in order, or those of a run of the list; the reason of a no is that of the kernel that knows the operator.
template <class... Kernels>
constexpr auto choose_kernel(kernel_list<Kernels...> list, const program_view& program, const node& record,
                             range among = {0, sizeof...(Kernels)}) -> kernel_choice {
  kernel_choice choice;
  std::size_t at = 0;
  boost::hana::for_each(list.types, [&](auto candidate) {
    if (!choice.found && at >= among.first && at - among.first < among.size) {
      auto answer = decltype(candidate)::type::supports(program, record);
      if (answer || !answer.reason.empty()) choice = {at, std::move(answer)};
    }
    ++at;
  });
  if (!choice.found && choice.found.reason.empty()) {
    choice.found.reason = join("no kernel in the list knows this operator");
    const auto misspelt = check_operator_name(program.text(record.target));
    if (misspelt) append(append(choice.found.reason, ", nor does TensorFlow Lite; "), view(misspelt.reason));
  }
  return choice;
}

}  // namespace baton
