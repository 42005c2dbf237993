// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lowered module (nodes that a backend's `preprocess` has compiled) that was added to a program last.
#pragma once

#include <baton/core/program.hpp>

namespace baton {

/// Returns the delegate that was added last. If `to_backend` lowered the whole program without a partitioner, this delegate is the lowered
/// program.
constexpr auto last_delegate(const program_view& program) -> delegate_id { return static_cast<delegate_id>(program.delegates.size() - 1); }

}  // namespace baton
