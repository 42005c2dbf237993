// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: the backend type has no id; write: static constexpr auto id = baton::name<"MyNpu">;
#include "fail/small_npu.hpp"

#if defined(FIXED)
constexpr auto target = baton::backends<npu>;
#else
constexpr auto target = baton::backends<partitioner>;
#endif
constexpr auto lowered = baton::to_backend(target, model, partitioner{});
constexpr auto graphs = lowered->graphs.size();
