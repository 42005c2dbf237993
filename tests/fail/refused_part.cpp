// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E7
// EXPECT: baton refused_part: a backend refused to preprocess a part; see the reason, and correct the partitioner or the model
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<24>{"BackendWithCompilerDemo"}>
// EXPECT: because<baton::fixed_string<31>{"call_function aten.sub.Tensor "}, baton::fixed_string<29>{"is not supported in backend "}, baton::fixed_string<24>{"BackendWithCompilerDemo"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "BackendWithCompilerDemo", "mm add">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "BackendWithCompilerDemo", "mm add sub">>;
#endif

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(target, model, partitioner{});
