// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of a backend that can run: its lifecycle functions, and its requirements on the executor's memory.
#pragma once

#include <baton/run/detail/backend_steps.hpp>

namespace baton {

/// The options type of a backend; `no_options` if it declares none.
template <class Backend>
using options_of = typename detail::options_type<Backend>::type;

/// A backend that an executor can run. The backend must have `execute`; all other members are optional. All functions are static. Optional
/// members are detected by name. A member with a wrong signature is an error, except in a `final` class.
/// - `static void execute(const baton::delegate_call&)`: executes a call of a delegate. `execute` returns `void`, or `baton::status` if it
///   can fail. `execute` may have a second parameter `state&`. The first parameter may have another type:
///   - `const baton::execution_context<options>&` adds the method's name and the options.
///   - `const Call&`, if `execute` is a template with the parameter `Call`. `Call` is a `part_call`: an `execution_context` with the part
///     as a constant. The template is instantiated for each part. `Call` can log events: `log_event(identifier, begin, end)`,
///     `start_event`, `end_event`, `log_output`.
/// - `struct state {...};`: the state of one delegate from `init` to `destroy`. The state is stored in the executor.
/// - `struct options {...};`: the options that a user may set: `baton::with_options<my_npu>({.threads = 4})`.
/// - `static auto init(baton::init_context<options>&, state&) -> baton::status`: called before the first execution. After a failure, the
///   next run calls `init` again. `init` may return `void` if it cannot fail. `state&` may be omitted.
/// - `static void destroy(state&)`: called when the executor is destroyed. Delegates are destroyed in the order in which they were
///   initialized.
/// - `static auto is_available() -> bool`: called before `init`. If `is_available()` is a constant expression with the value `false`,
///   compilation fails. If the function returns `false` at run time, the initialization fails with `not_found`.
///
/// Requirements on the executor's memory:
/// - `static constexpr std::size_t processed_bytes_alignment = 1024`: the alignment of the processed bytes in bytes, a power of two; 16 by
///   default.
/// - `static constexpr std::uint32_t argument_alignment = 64`: the alignment of arguments and results in bytes, a power of two. Use this
///   member if DMA requires an alignment. The arena of a program with such a delegate, and everything in the arena including scratch, has
///   this alignment. The default is `plan_options::alignment`, which is 16 by default.
/// - `static constexpr std::uint32_t overread_bytes = 64`: the maximum number of bytes that the backend reads past the end of an argument.
///   The values of these bytes are unspecified. The planner enlarges the arena, so that the backend can read these bytes.
/// - `static constexpr auto io_offsets_in_scratch(const baton::lowered_module_view&) -> baton::io_offsets`: the offsets at which the
///   backend accesses its arguments and results in the scratch. If possible, the planner stores a value at its offset, so that `execute`
///   need not copy the value. `execute` must copy the remaining values, which are:
///   - arguments of which the program reads any part after the call, because the delegate may overwrite them;
///   - constants, states, and values that two delegates place in their scratch;
///   - values that would enlarge the arena if they were in scratch (the planner tests groups of values, and may reject a whole group);
///   - arguments and results of calls inside branches and loops.
///
/// Instead of `execute`:
/// - `static constexpr bool runs_original = true`: the executor runs the original graph (the part before `preprocess`), and does not use
///   processed bytes. The executor uses its own kernels, or the kernels of the backend if the backend has
///   `static constexpr auto kernels = baton::kernels<my_kernel>`. `kernel_backend` defines such a backend from a kernel list.
template <class Backend>
concept executable_backend = detail::has_execute<Backend>;

}  // namespace baton
