// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The share of the largest chunk of a node, of the kernels that divide nodes into chunks of different sizes.
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/detail/nest_chunks.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pooling.hpp>

#include "kernels/square_layers.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using portable::detail::uneven_chunks_percent;

// Of ten elements, the first chunk has eight, which is 1.6 times the half.
static_assert(uneven_chunks_percent(10, 8) == 60 && uneven_chunks_percent(16, 8) == 0);
static_assert(uneven_chunks_percent(15, 8) == 7);                                     // rounded up
static_assert(uneven_chunks_percent(5, 8) == 0 && uneven_chunks_percent(0, 8) == 0);  // a single chunk has all elements

/// Returns the percentage that a kernel declares for a layer.
template <class Kernel, one_layer::layer Of>
constexpr auto percent_of() -> std::uint32_t {
  const auto program = one_layer::make_symmetric<Of>{}();
  return ask_kernel<Kernel>(program, program_view(program).nodes[0]).facts.uneven_chunks_percent;
}
constexpr auto ten = one_layer::dense(20, 10);
constexpr auto eighteen = one_layer::pool(one_layer::op::average_pool_2d, 4, 18, 2, 2);

static_assert(percent_of<portable::fully_connected, ten>() == 60);
static_assert(percent_of<portable::fully_connected, one_layer::dense(20, 16)>() == 0);
static_assert(percent_of<portable::average_pool_2d, eighteen>() == 78);

// Two chunks of four iterations and one of two: 12 / 10.
constexpr portable::detail::nest_chunks<2> chunks_of_rows({3, 10}, 16, 64);
constexpr auto facts_of_rows() -> kernel_facts {
  kernel_facts facts;
  chunks_of_rows.add_to(facts);
  return facts;
}
static_assert(chunks_of_rows.iterations == 4 && facts_of_rows().chunks == 9 && facts_of_rows().uneven_chunks_percent == 20);

}  // namespace

TEST_CASE("a kernel declares the share of its largest chunk") {
  CHECK(uneven_chunks_percent(10, 8) == 60);
  CHECK(percent_of<portable::fully_connected, ten>() == 60);
  CHECK(facts_of_rows().uneven_chunks_percent == 20);
}
