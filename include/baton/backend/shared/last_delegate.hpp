// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where a lowered module stands in the program that holds it.
#pragma once

#include <baton/core/program.hpp>

namespace baton {

/// The delegate that was added last: that of a lowered module, in the program that lowering it by id makes.
constexpr auto last_delegate(const program_view& program) -> delegate_id { return static_cast<delegate_id>(program.delegates.size() - 1); }

}  // namespace baton
