// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_tensor: an input or output is looked up by its one name; this is none; take one of those that there are
// EXPECT: input z of x y
#include <baton/run/basic_executor.hpp>

#include "fail/quantized_input.hpp"

#if defined(FIXED)
constexpr auto position = baton::basic_executor<model, baton::kernels<>>::input_index<"y">();
#else
constexpr auto position = baton::basic_executor<model, baton::kernels<>>::input_index<"z">();
#endif
