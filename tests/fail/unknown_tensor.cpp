// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_tensor: no input or output has this name, or several have; use a unique name
// EXPECT: no input is named z; names: x y
#include <baton/run/basic_executor.hpp>

#include "fail/quantized_input.hpp"

#if defined(FIXED)
constexpr auto position = baton::basic_executor<model, baton::kernels<>>::input_index<"y">();
#else
constexpr auto position = baton::basic_executor<model, baton::kernels<>>::input_index<"z">();
#endif
