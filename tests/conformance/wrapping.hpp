// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Static programs that call lowered modules explicitly.
#pragma once

#include <baton/backend/backends.hpp>

namespace conformance {

/// A stage that builds a program with delegates explicitly, and lists the backends for an executor.
template <auto Make, class... Backends>
struct wrapping {
  using backend_types = baton::backend_list<Backends...>;
  constexpr auto operator()() const { return Make(); }
};

}  // namespace conformance
