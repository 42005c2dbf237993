// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The interface of a model for its callers, written by hand: spans and a status. Includes neither the model nor, except for the status,
// Baton.
#pragma once

#include <baton/run/status.hpp>

#include <cstdint>
#include <span>

namespace digits {

/// Runs one inference. `pixels` are those of an 8 × 8 image, from -128 to 127. `scores` gets a score for each digit.
auto run(std::span<const std::int8_t, 64> pixels, std::span<std::int8_t, 10> scores) -> baton::status;

}  // namespace digits
