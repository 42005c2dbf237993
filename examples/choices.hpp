// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The choices: named ways to lower a model, for the tools in this folder. To add one, add a file to choices/, include it here, and add its
// name to the list. If a choice needs a library, its file states that in comment lines that the scripts read (`need_choice` in build.sh).
// If the library is missing, or if WITHOUT_VENDOR_LIBRARIES is defined, the file defines the choice as `absent`.
#pragma once

#include "choices/cmsis_nn.hpp"
#include "choices/cmsis_nn_by_cost.hpp"
#include "choices/dense_unit.hpp"
#include "choices/ethos_u.hpp"
#include "choices/executorch_demo.hpp"
#include "choices/none.hpp"
#include "choices/npu.hpp"
#include "choices/xnnpack.hpp"

namespace choices {

template <class... Choices>
struct list {};
using all = list<none, npu, xnnpack, cmsis_nn, cmsis_nn_by_cost, ethos_u, executorch_demo, dense_unit>;

}  // namespace choices
