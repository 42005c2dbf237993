// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: kernels that a backend brings run its parts' graphs, in the place of execute; write beside them: static
#include <baton/backend/backends.hpp>
#include <baton/run/backend_needs.hpp>
#include <baton/run/delegate.hpp>

struct copy {
  static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
  template <class Call>
  static void run(const Call& call) {
    call.template output<0>()[0] = call.template input<0>()[0];
  }
};
struct dsp {
  static constexpr auto id = baton::name<"Dsp">;
  static constexpr auto kernels = baton::kernels<copy>;
#if defined(FIXED)
  static constexpr bool runs_original = true;
#endif
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
};

// An executor asks so.
constexpr auto all = baton::with_kernels_of_backends(baton::kernels<>, baton::backends<dsp>);
