// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of portable kernels: each one supports only its own operator and obeys the laws of kernels.
#include "layer.hpp"

#include <baton/kernels/kernels.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;
using one_layer::layer;
using one_layer::op;

constexpr char zeros[64] = {};

/// The smallest layer of each operator that has weights or a window.
constexpr auto program_of(op is) -> exported_program {
  return one_layer::build({.is = is, .channels = 3, .out_channels = 3}, {zeros, is == op::depthwise_conv_2d ? 3u : 9u}, {zeros, 12});
}

template <class Kernel>
constexpr auto obeys_the_laws(op is) -> bool {
  return laws::kernel::acceptance_has_no_reason<Kernel>(program_of(is));
}
template <op Is, class... Kernels>
constexpr auto all_obey_the_laws(kernel_list<Kernels...>) -> bool {
  return (obeys_the_laws<Kernels>(Is) && ...);
}

template <class... Kernels>
constexpr auto supporting_kernels(kernel_list<Kernels...>, const exported_program& program) -> int {
  return (0 + ... + (baton::ask_kernel<Kernels>(program, program.nodes[0]).support.accepted ? 1 : 0));
}
template <op Is>
constexpr auto has_exactly_one_kernel() -> bool {
  auto program = program_of(Is);
  if (supporting_kernels(portable_kernels, program) != 1) return false;
  program.nodes[0].op = hash_of("my_company.fft");
  return supporting_kernels(portable_kernels, program) == 0;
}

// One constant per operator, because the compiler limits the evaluation of each constant.
template <op Is>
constexpr auto is_lawful() -> bool {
  return all_obey_the_laws<Is>(portable_kernels) && has_exactly_one_kernel<Is>();
}
static_assert(is_lawful<op::conv_2d>());
static_assert(is_lawful<op::depthwise_conv_2d>());
static_assert(is_lawful<op::fully_connected>());
static_assert(is_lawful<op::average_pool_2d>());
static_assert(is_lawful<op::max_pool_2d>());

}  // namespace

TEST_CASE("portable kernels obey the laws") {
  CHECK(is_lawful<op::conv_2d>());
  CHECK(is_lawful<op::depthwise_conv_2d>());
  CHECK(is_lawful<op::fully_connected>());
  CHECK(is_lawful<op::average_pool_2d>());
  CHECK(is_lawful<op::max_pool_2d>());
}
