// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A net whose input and output are in buffers of the caller.
#pragma once

#include "run/float_net.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

template <class... Services>
using bound_net = baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, Services...>;

inline bound_net<baton::bound_inputs<0>, baton::bound_outputs<0>> net;
