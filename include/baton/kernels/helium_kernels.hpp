// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the list `helium_kernels`, for a Cortex-M with Helium (MVE). The kernels run on every target, but are faster than the
// portable kernels only on such a Cortex-M.
#pragma once

#include <baton/kernels/declared_kernels.hpp>
#include <baton/kernels/helium/add.hpp>
#include <baton/kernels/helium/convolution.hpp>
#include <baton/kernels/helium/depthwise.hpp>
#include <baton/kernels/helium/few_channels.hpp>
#include <baton/kernels/helium/fully_connected.hpp>
#include <baton/kernels/helium/mul.hpp>
#include <baton/kernels/helium/pooling.hpp>
