// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: the signature of preprocess_multimethod is wrong; write: static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts, const baton::by_method<baton::compile_specs>& specs) -> baton::by_method<baton::preprocess_result>
#include <baton/backend/backends.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>&,
                                               const baton::by_method<baton::compile_specs>&)
      -> baton::by_method<baton::preprocess_result> {
    return {};
  }
#else
  static constexpr auto preprocess_multimethod(const baton::exported_program&) -> baton::preprocess_result { return {}; }
#endif
};

constexpr auto target = baton::backends<npu>;
static_assert(sizeof(target) == 1);
