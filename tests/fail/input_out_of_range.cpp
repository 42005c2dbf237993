// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton tensor_info: the program has no input with this index; indices begin at 0
#include "fail/quantized_input.hpp"

#if defined(FIXED)
constexpr auto info = baton::input_info<model, 1>();
#else
constexpr auto info = baton::input_info<model, 2>();
#endif
