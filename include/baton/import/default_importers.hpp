// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of the importers that come with Baton; a new format needs one line here.
#pragma once

#include <baton/import/importers.hpp>
#include <baton/import/onnx.hpp>
#include <baton/import/pt2.hpp>
#include <baton/import/pte.hpp>
#include <baton/import/tflite.hpp>

namespace baton {

// clang-format off
/// The importers that `read_model`, `baton_model()` of CMake and the tools use by default. To read a model at run time, write
/// `baton::default_importers.read(bytes)`. To add a custom importer, write `baton::default_importers + baton::importers<my_importer>`.
inline constexpr auto default_importers = importers<
    tflite::importer,
    pte::importer,
    pt2::importer,
    onnx::importer>;  // last, because ONNX files have no identifier
// clang-format on

}  // namespace baton
