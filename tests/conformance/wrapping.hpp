// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Static programs that are made by calling lowered modules by hand.
#pragma once

#include <baton/backend/backends.hpp>

namespace conformance {

/// What makes a static program with delegates by hand, with the backends that an executor is to find.
template <auto Make, class... Backends>
struct wrapping {
  using backend_types = baton::backend_list<Backends...>;
  constexpr auto operator()() const { return Make(); }
};

}  // namespace conformance
