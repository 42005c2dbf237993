// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Includes the C interfaces of models from C++, and switches the device of device.hpp for c_interface.c.
#include "choice.h"
#include "halves.h"
#include "lowered_digits.h"
#include "running_sum.h"

#include "switch.hpp"

#include <cstdint>
#include <type_traits>

#if defined(BATON_VERSION) || defined(BOOST_HANA_HPP)
#error "the C interface of a model includes Baton"
#endif

static_assert(std::is_same_v<choice_input_0_type, bool> && std::is_same_v<lowered_digits_input_0_type, std::int8_t>);
static_assert(running_sum_status_ok == 0);

extern "C" {
void switch_device(bool is_on);
auto cpp_includes_the_headers() -> int;

void switch_device(bool is_on) { device_is_on = is_on; }
auto cpp_includes_the_headers() -> int { return lowered_digits_input_0() != nullptr ? LOWERED_DIGITS_INPUT_0_SIZE : 0; }
}
