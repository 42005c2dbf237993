// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a backend has that runs here: the steps of its delegates' lives, and what it asks of the executor and of its memory.
#pragma once

#include <baton/run/detail/backend_steps.hpp>

namespace baton {

/// The options that a backend takes.
template <class Backend>
using options_of = typename detail::options_type<Backend>::type;

/// A backend that runs here has `execute`, and whichever it needs of the rest; all are static, and none is looked up while the program
/// runs. Whoever has one in another form is told so, but in a `final` class.
/// - `static void execute(const baton::delegate_call&)`;
///   or with a context: `const baton::execution_context<options>&`, or a template over what is one and tells of events, too
///   (`context.log_event(identifier, begin, end)`, `start_event`, `end_event`, `log_output`);
///   or compiled for each part, which is then a constant (`part_call`): `template <class Call> static void execute(const Call&)`;
///   with a second parameter `state&`; returning `void`, or `baton::status` where it can fail.
/// - `struct state {...};`: what one delegate keeps from `init` to `destroy`; it lies in the executor.
/// - `struct options {...};`: what the executor's user may set: `baton::with_options<my_npu>({.threads = 4})`.
/// - `static auto init(baton::init_context<options>&, state&) -> baton::status`: once, before the first execution; `state&` may be left
/// out.
/// - `static void destroy(state&)`: when the executor ends, in the order of `init`.
/// - `static auto is_available() -> bool`: asked before `init`; a constant `false` stops the compiler.
///
/// Of the executor and its memory:
/// - `static constexpr std::size_t blob_alignment = 1024`: of its blobs; 16 by default.
/// - `static constexpr std::uint32_t argument_alignment = 64`: arguments and results lie at addresses that are multiples of this power of
///   two, as DMA may need it. Everything in the arena of a program that has a delegate of it is so aligned, and the arena, too; scratch as
///   arguments are. 16 has everything, unless the plan's options say less.
/// - `static constexpr std::uint32_t read_ahead_bytes = 64`: how far it reads behind the ends of its arguments. What it reads there has no
///   meaning; the arena is so much larger that the memory is there.
/// - `static constexpr auto places_in_scratch(const baton::lowered_module_view&) -> baton::scratch_places`: it works on arguments and
///   results inside its scratch. They are placed there where that can be, so `execute` copies only what it finds elsewhere: arguments that
///   something reads after the call, or parts of them (the delegate may overwrite them), constants, states, values that two delegates
///   want, or for which the arena would grow (many are tried together, not each), and those of branches and loops.
/// - `static constexpr bool runs_original = true`: in place of a blob the executor runs the part's original graph, with its own kernels, or
///   with those of the backend, if it has `static constexpr auto kernels = baton::kernels<my_kernel>` (`kernel_backend` makes a backend of
///   a list). Such a backend has no `execute`.
template <class Backend>
concept executable_backend = detail::has_execute<Backend>;

}  // namespace baton
