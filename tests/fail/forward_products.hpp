// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One method, and a partitioner for it.
#pragma once

#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

using demo = conformance::backend_with_compiler_demo;
using products = baton::by_support<demo, baton::operator_names<"aten.mm.default">>;

constexpr auto all = baton::methods(baton::method<"forward">(baton::static_program{conformance::make<conformance::g_mmadd>{}}));
