// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What callers of a model see, written by hand: spans and a status, nothing of the model and next to nothing of Baton.
#pragma once

#include <baton/run/status.hpp>

#include <cstdint>
#include <span>

namespace digits {

/// One inference: pixels of an 8 by 8 image from -128 to 127, and a score for each digit.
auto run(std::span<const std::int8_t, 64> pixels, std::span<std::int8_t, 10> scores) -> baton::status;

}  // namespace digits
