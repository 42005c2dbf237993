// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton onnx::dimension: a size is negative; write: baton::onnx::dimension<"N", 4>
#include <baton/import/onnx_read_options.hpp>

#if defined(FIXED)
constexpr auto add = &baton::onnx::dimension<"N", 4>::add_to;
#else
constexpr auto add = &baton::onnx::dimension<"N", -4>::add_to;
#endif
static_assert(add != nullptr);
