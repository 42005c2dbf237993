// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the second argument is not a program, but the third is; write: baton::to_backend(baton::backends<my_npu>,
// model, my_partitioner{})
#include "fail/small_npu.hpp"

#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
#else
constexpr auto lowered = baton::to_backend(baton::backends<npu>, partitioner{}, model);
#endif
constexpr auto graphs = lowered->graphs.size();
