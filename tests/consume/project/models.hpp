// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Callers of the models of baton_model().
#pragma once

/// True if the portable model classifies an image correctly. True if the lowered model reports that its device is off, and the other one
/// runs the custom kernel.
auto portable_is_right() -> bool;
auto lowered_is_right() -> bool;
/// True if the state of a model can be saved, reset and restored.
auto state_is_right() -> bool;
/// True if the entry point of a model in a custom format computes its sum.
auto custom_format_is_right() -> bool;
auto onnx_format_is_right() -> bool;
