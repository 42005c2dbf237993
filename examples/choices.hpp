// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ways to lower a model that the tools in this folder offer by name. One more is one more file in choices/, included here, and its name
// in the list. A file whose choice needs what is not everywhere says so in comment lines that the scripts read (`need_choice` in
// build.sh), and where that is not there, it makes the choice an `absent` one.
#pragma once

#include "choices/cmsis_nn.hpp"
#include "choices/cmsis_nn_by_cost.hpp"
#include "choices/ethos_u.hpp"
#include "choices/none.hpp"
#include "choices/npu.hpp"
#include "choices/xnnpack.hpp"

namespace choices {

template <class... Choices>
struct list {};
using all = list<none, npu, xnnpack, cmsis_nn, cmsis_nn_by_cost, ethos_u>;

}  // namespace choices
