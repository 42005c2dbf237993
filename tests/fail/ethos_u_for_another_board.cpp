// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton refused_part: a backend refused to preprocess a part; see the reason, and correct the partitioner or the model
// EXPECT: for_backend<baton::fixed_string<7>{"EthosU"}>
// EXPECT: because<baton::fixed_string<22>{"its commands are for "}, baton::fixed_string<32>{"ethos-u55-128, but the backend "}
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "backends/ethos_u/stream_builders.hpp"

#if defined(FIXED)
constexpr auto board = baton::ethos_u::u55_128;
#else
constexpr auto board = baton::ethos_u::u55_256;
#endif

constexpr auto model = baton::static_program{[] { return ethos_u_tests::program_of({}); }};
constexpr auto lowered = baton::to_backend(baton::backends<baton::ethos_u::backend<board>>, model, baton::ethos_u::partitioner<board>{});
