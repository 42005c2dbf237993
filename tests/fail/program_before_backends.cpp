// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the first argument is not a list of backends; write: baton::to_backend(baton::backends<my_npu>, model, my_partitioner{})
#include "fail/small_npu.hpp"

#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
#else
constexpr auto lowered = baton::to_backend(model, baton::backends<npu>, partitioner{});
#endif
constexpr auto graphs = lowered->graphs.size();
