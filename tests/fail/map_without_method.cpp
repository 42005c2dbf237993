// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Each argument of `partitioners(...)` is for one method.
// EXPECT: baton not_a_partitioner: an argument of partitioners(...) is not a for_method; write: baton::partitioners(baton::for_method<"forward">(my_partitioner{}))
#include <baton/lower/partitioners.hpp>
#include <baton/lower/to_backend.hpp>

#include "fail/forward_products.hpp"

#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<demo>, all, baton::partitioners(baton::for_method<"forward">(products{})));
#else
constexpr auto lowered = baton::to_backend(baton::backends<demo>, all, baton::partitioners(products{}));
#endif
