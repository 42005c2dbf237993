// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of TensorFlow Lite Micro's signal operators. Usage: `baton::portable_kernels + baton::signal_kernels`.
#pragma once

#include <baton/kernels/declared_kernels.hpp>
#include <baton/kernels/signal/filter_bank.hpp>
#include <baton/kernels/signal/fourier.hpp>
#include <baton/kernels/signal/frames.hpp>
#include <baton/kernels/signal/spectrum.hpp>
