// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a kernel is declared but not defined, because the header of its list is not included; include <baton/kernels/cortex_m_kernels.hpp>, <baton/kernels/helium_kernels.hpp> or <baton/kernels/signal_kernels.hpp>
// ERRORS: 1
// EXPECT: declared_kernel<baton::cortex_m::detail::winograd_conv_2d<
// No second error reports that the remaining kernels do not support a node of a method.
#include <baton/executor.hpp>
#if defined(FIXED)
#include <baton/kernels/cortex_m_kernels.hpp>
#endif

struct one_method {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder build;
    const auto type = baton::tensor(baton::dtype::int8, 4);
    build.output(build.call("tfl.reshape", {build.user_input("x", type)}, type));
    return build.finish();
  }
};

#if defined(FIXED)
constexpr auto kernels = baton::cortex_m_kernels + baton::portable_kernels;
#else
constexpr auto kernels = baton::cortex_m_kernels;
#endif

constexpr auto methods = baton::methods(baton::method<"forward">(baton::static_program<one_method>{}));
baton::methods_executor<methods, baton::state_sharing::none, baton::with_kernels<kernels>> net;
