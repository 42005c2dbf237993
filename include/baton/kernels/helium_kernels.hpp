// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of kernels for a Cortex-M with Helium (MVE); they run everywhere, and pay there. A new one is a line here.
#pragma once

#include <baton/kernels/helium/convolution.hpp>
#include <baton/kernels/helium/depthwise.hpp>
#include <baton/kernels/helium/fully_connected.hpp>
#include <baton/run/kernel.hpp>

namespace baton {

/// To stand in front of others: `baton::executor<lowered, baton::helium_kernels + baton::cortex_m_kernels + baton::portable_kernels>`.
inline constexpr auto helium_kernels =
    kernel_list<helium::detail::conv_2d, helium::detail::depthwise_conv_2d, helium::detail::fully_connected>{};

}  // namespace baton
