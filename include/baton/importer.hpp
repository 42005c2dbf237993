// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// For who writes an importer: the concept, and a reader of bytes that need not be trusted.
// Made by: cmake -P cmake/umbrella.cmake
#pragma once

// clang-format off
#include <baton/import/byte_reader.hpp>
#include <baton/import/importer.hpp>
// clang-format on
