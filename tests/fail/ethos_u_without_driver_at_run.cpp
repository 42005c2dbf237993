// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton backend_without_execute: the backend of a delegate has no execute of the required form; write: static void execute(const baton::delegate_call&)
// EXPECT: EthosU
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "backends/ethos_u/stream_builders.hpp"

struct my_driver {
  static auto invoke(const baton::ethos_u::invocation&) -> baton::status { return baton::status::ok; }
};

#if defined(FIXED)
using npu = baton::ethos_u::backend<baton::ethos_u::u55_128, my_driver>;
#else
using npu = baton::ethos_u::backend<baton::ethos_u::u55_128>;
#endif
constexpr auto model = baton::static_program{[] { return ethos_u_tests::program_of({}); }};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::ethos_u::partitioner<baton::ethos_u::u55_128>{});

baton::basic_executor<lowered, baton::kernels<>> net;

void infer() { static_cast<void>(net.run()); }
