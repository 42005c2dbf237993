// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton tensor_info: inputs count from 0; the program has no input of this number
#include "fail/quantized_input.hpp"

#if defined(FIXED)
constexpr auto info = baton::input_info<model, 1>();
#else
constexpr auto info = baton::input_info<model, 2>();
#endif
