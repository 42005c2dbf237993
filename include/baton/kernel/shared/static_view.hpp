// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The view of a static program, as one constant.
#pragma once

#include <baton/core/program.hpp>

namespace baton {

/// The view of a static program. GCC caches the result of a call in a constant expression if the arguments are constants, such as
/// references to this view and its nodes. Therefore, all code that calls `describe` for a node of a static program passes this view. So GCC
/// evaluates each call only once.
template <class Program>
inline constexpr program_view static_view = Program::value();

}  // namespace baton
