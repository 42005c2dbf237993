// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton print_in_compile_error: the program is shown by request; remove the call to continue
// EXPECT: delegated<0, baton::fixed_string<17>{"lowered_module_0"}, baton::fixed_string<24>{"BackendWithCompilerDemo"}, 2, 151>
// EXPECT: not_delegated<1, baton::fixed_string<4>{"sub"}, baton::fixed_string<16>{"aten.sub.Tensor"}, baton::fixed_string<33>{"sums and products are computed b"}, baton::fixed_string<33>{"y this device, differences are n"}, baton::fixed_string<3>{"ot"}>
// EXPECT: delegated<2, baton::fixed_string<17>{"lowered_module_1"}, baton::fixed_string<24>{"BackendWithCompilerDemo"}, 2, 151>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/report/compile_error.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

struct no_differences {
  static constexpr auto supports(const baton::program_view&, const baton::node& record) -> baton::verdict {
    if (!record.is("aten.sub.Tensor")) return baton::accept();
    return baton::refuse("sums and products are computed by this device, differences are not");
  }
};

constexpr auto lowered =
    baton::to_backend(baton::backends<conformance::backend_with_compiler_demo>,
                      baton::static_program{conformance::make<conformance::g_mmadd>{}}, conformance::add_mul_partitioner_demo{});
#if !defined(FIXED)
static_assert(baton::report::print_in_compile_error<no_differences>(lowered));
#endif
