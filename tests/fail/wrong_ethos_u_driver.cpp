// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_driver: the driver type has no invoke; write: static auto invoke(const baton::ethos_u::invocation& call) -> baton::status
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "backends/ethos_u/stream_builders.hpp"

struct my_driver {
#if defined(FIXED)
  static auto invoke(const baton::ethos_u::invocation&) -> baton::status { return baton::status::ok; }
#else
  static auto invoke(const baton::ethos_u::invocation&) -> int { return 0; }
#endif
};

using npu = baton::ethos_u::backend<baton::ethos_u::u55_128, my_driver>;
constexpr auto model = baton::static_program{[] { return ethos_u_tests::program_of({}); }};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::ethos_u::partitioner<baton::ethos_u::u55_128>{});
