// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The partitioners of one method stand in `partitioners(...)`.
// EXPECT: baton not_a_partitioner: a partitioner tags a program; write: constexpr auto partition(const baton::exported_program& program) const -> baton::partition_result
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

using demo = conformance::backend_with_compiler_demo;
using products = baton::by_support<demo, baton::operators<"aten.mm.default">>;

constexpr auto all = baton::methods(baton::method<"forward">(baton::static_program{conformance::make<conformance::g_mmadd>{}}));
#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<demo>, all, baton::partitioners(baton::for_method<"forward">(products{})));
#else
constexpr auto lowered = baton::to_backend(baton::backends<demo>, all, baton::for_method<"forward">(products{}));
#endif
