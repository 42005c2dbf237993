// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of a backend that can run: its lifecycle functions, and its requirements on the executor's memory.
#pragma once

#include <baton/run/detail/backend_steps.hpp>

namespace baton {

/// The options type of a backend; `no_options` if it declares none.
template <class Backend>
using options_of = typename detail::options_type<Backend>::type;

/// A backend that an executor can run. It has `execute`; all other members are optional. Functions are static and bound at compile time.
/// Optional members are detected by name. A member with a wrong signature is an error, except in a `final` class.
/// - `static void execute(const baton::delegate_call&)`: executes a call of a delegate. Returns `void`, or `baton::status` if it can fail.
///   It may have a second parameter `state&`. Other types of the first parameter:
///   - `const baton::execution_context<options>&` adds the method's name and the options.
///   - `const Call&` of a template is a `part_call`: an `execution_context` whose part is a constant. The template is instantiated for each
///     part. It can log events: `log_event(identifier, begin, end)`, `start_event`, `end_event`, `log_output`.
/// - `struct state {...};`: the state of one delegate from `init` to `destroy`. It is stored in the executor.
/// - `struct options {...};`: the options that a user may set: `baton::with_options<my_npu>({.threads = 4})`.
/// - `static auto init(baton::init_context<options>&, state&) -> baton::status`: called once, before the first execution. `state&` may be
///   omitted.
/// - `static void destroy(state&)`: called when the executor is destroyed, in the order of `init`.
/// - `static auto is_available() -> bool`: called before `init`. If it is a constant `false`, compilation fails.
///
/// Requirements on the executor's memory:
/// - `static constexpr std::size_t blob_alignment = 1024`: the alignment of blobs in bytes; 16 by default.
/// - `static constexpr std::uint32_t argument_alignment = 64`: the alignment of arguments and results in bytes, a power of two, as DMA may
///   require. The arena of a program with such a delegate has this alignment, and so has everything in it, including scratch. The default
///   is the alignment of the plan's options, 16 unless it is set.
/// - `static constexpr std::uint32_t overread_bytes = 64`: the number of bytes that it reads past the ends of its arguments. The values
///   of these bytes are unspecified. The arena is enlarged, so that the memory exists.
/// - `static constexpr auto io_offsets_in_scratch(const baton::lowered_module_view&) -> baton::io_offsets`: the offsets of arguments and
///   results in the scratch, if the backend works on them there. The planner stores them at these offsets if possible. `execute` copies
///   only the others:
///   - arguments that the program reads after the call, in whole or in part, because the delegate may overwrite them;
///   - constants, states, and values that two delegates place in their scratch;
///   - values for which the arena would grow, which the planner decides for groups of values;
///   - values of branches and loops.
/// - `static constexpr bool runs_original = true`: the executor runs the original graph of the part instead of a blob. It uses its own
///   kernels, or those of the backend: `static constexpr auto kernels = baton::kernels<my_kernel>`. Such a backend has no `execute`.
///   `kernel_backend` defines such a backend from a kernel list.
template <class Backend>
concept executable_backend = detail::has_execute<Backend>;

}  // namespace baton
