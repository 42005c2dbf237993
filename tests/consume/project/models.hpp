// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The callers of the models that baton_model() made.
#pragma once

/// Whether the portable model reads an image as it should; whether the lowered one tells when its device is off, and the other runs the
/// user's kernel.
auto portable_is_right() -> bool;
auto lowered_is_right() -> bool;
/// Whether the state of a model can be saved, reset and restored.
auto state_is_right() -> bool;
/// Whether the entry point of a model in a custom format computes its sum.
auto custom_format_is_right() -> bool;
auto onnx_format_is_right() -> bool;
