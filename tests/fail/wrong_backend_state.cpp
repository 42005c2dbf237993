// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: state is not a type; write: struct state {...};
// EXPECT: baton not_a_backend: options is not a type; write: struct options {...};
// EXPECT: baton not_a_backend: the signature of destroy is wrong; write: static void destroy(state& state)
// EXPECT: baton not_a_backend: the signature of is_available is wrong; write: static auto is_available() -> bool
// LINES: 45
// ERRORS: 4
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
#if defined(FIXED)
  struct state {};
  struct options {};
  static void destroy(state&) {}
  static auto is_available() -> bool { return true; }
#else
  static constexpr int state = 0;
  static constexpr int options = 0;
  static void destroy(int*) {}
  static auto is_available(int) -> bool { return false; }
#endif
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<>> net;

void infer() { static_cast<void>(net.run()); }
