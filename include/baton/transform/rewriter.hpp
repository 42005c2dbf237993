// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// `rewriter`, the class that passes use to change nodes and values of a program.
#pragma once

#include <baton/graph/rewriter.hpp>
#include <baton/transform/detail/effects.hpp>

namespace baton {

/// A program that a pass is changing: a `basic_rewriter` that keeps unused nodes if they have effects (`has_effects`).
using rewriter = basic_rewriter<has_effects>;

}  // namespace baton
