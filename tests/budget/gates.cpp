// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An executor of a model after the default passes, whose constants and instantiations gates.sh counts. It generates gated_model.hpp from
// the model's file.
#include <baton/baton.hpp>

#include "gated_model.hpp"

namespace {

constexpr auto program = baton::transform(baton::read_model<gated_model>, baton::default_passes);
baton::executor<program> net;

}  // namespace

auto main() -> int { net.run(); }
