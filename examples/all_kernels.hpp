// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the tools in this folder.
#pragma once

#include <baton/baton.hpp>
#include <baton/kernels/signal_kernels.hpp>

namespace choices {

/// All portable kernels, because the tools do not know the operators of the model.
inline constexpr auto kernels = baton::portable_kernels + baton::signal_kernels;

}  // namespace choices
