// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton print_in_compile_error: the program is shown by request; remove the call to continue
// EXPECT: delegated<0, baton::fixed_string<17>{"lowered_module_0"}, baton::fixed_string<24>{"BackendWithCompilerDemo"}, 2, 151>
// EXPECT: not_delegated<1, baton::fixed_string<4>{"sub"}, baton::fixed_string<16>{"aten.sub.Tensor"}>
// EXPECT: delegated<2, baton::fixed_string<17>{"lowered_module_1"}, baton::fixed_string<24>{"BackendWithCompilerDemo"}, 2, 151>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/report/compile_error.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto lowered =
    baton::to_backend(baton::backends<conformance::backend_with_compiler_demo>,
                      baton::static_program{conformance::make<conformance::g_mmadd>{}}, conformance::add_mul_partitioner_demo{});
#if !defined(FIXED)
static_assert(baton::report::print_in_compile_error(lowered));
#endif
