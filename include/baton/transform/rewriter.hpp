// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Changes single nodes and values of a program: what passes are written with.
#pragma once

#include <baton/graph/rewriter.hpp>
#include <baton/transform/detail/effects.hpp>

namespace baton {

/// A program that is being changed by a pass: a `basic_rewriter` that knows which operators have effects.
using rewriter = basic_rewriter<has_effects>;

}  // namespace baton
