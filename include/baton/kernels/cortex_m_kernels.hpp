// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the list `cortex_m_kernels`, for a Cortex-M with the DSP extension. The kernels run on every target, but are faster than
// the portable kernels only on such a Cortex-M.
#pragma once

#include <baton/kernels/cortex_m/add.hpp>
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/fully_connected.hpp>
#include <baton/kernels/cortex_m/int16_depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/int16_layers.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/cortex_m/pooling.hpp>
#include <baton/kernels/cortex_m/recurrent.hpp>
#include <baton/kernels/cortex_m/svdf.hpp>
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>
#include <baton/kernels/declared_kernels.hpp>
