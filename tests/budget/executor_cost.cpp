// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An executor of a model after the default passes, up to the stage `STAGE`. executor_cost.sh compiles each stage, and generates
// gated_model.hpp from the model's file. 0: only the headers. 1: the model is read and transformed. 2: also planned. 3: also run.
#include <baton/baton.hpp>
#if STAGE > 0
#include "gated_model.hpp"

constexpr auto program = baton::transform(baton::read_model<gated_model>, baton::default_passes);
#endif
#if STAGE > 1
using executor = baton::executor<program>;
static_assert(executor::arena_bytes > 0);
#endif
#if STAGE > 2
executor net;
void run() { net.run(); }
#endif
