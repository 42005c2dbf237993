// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A partitioner for one method must be an argument of `partitioners(...)`.
// EXPECT: baton not_a_partitioner: the partitioner has no function partition; write: constexpr auto partition(const
// baton::exported_program& program) const -> baton::partition_result
#include <baton/lower/partitioners.hpp>
#include <baton/lower/to_backend.hpp>

#include "fail/forward_products.hpp"

#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<demo>, all, baton::partitioners(baton::for_method<"forward">(products{})));
#else
constexpr auto lowered = baton::to_backend(baton::backends<demo>, all, baton::for_method<"forward">(products{}));
#endif
