// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that is compiled for its part, also by the cross compilers: a call needs only the memory of the arena.
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "run/fused_backend.hpp"

#include <array>
#include <cstdint>

namespace {

constexpr baton::static_program model{[] { return fused_backend::sum_or_y<16>(); }};
constexpr auto lowered = baton::to_backend(baton::backends<fused_backend::fused>, model, fused_backend::partitioner{});
static_assert(baton::delegates(lowered).size() == 1);

using net_type = baton::basic_executor<lowered, baton::kernels<>>;
static_assert(net_type::arena_bytes == 3 * 16 && sizeof(net_type) == net_type::arena_bytes);

net_type net;

}  // namespace

void run_fused(const std::array<std::int8_t, 16>& x, const std::array<std::int8_t, 16>& y, std::array<std::int8_t, 16>& z) {
  net.run(x, y, z);
}
