// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// For tools: a program and what became of it as text, JSON, Graphviz and HTML.
// Made by: cmake -P cmake/umbrella.cmake
#pragma once

// clang-format off
#include <baton/report/compile_error.hpp>
#include <baton/report/printable.hpp>
#include <baton/report/text.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/graphviz.hpp>
#include <baton/report/provenance.hpp>
#include <baton/report/json.hpp>
#include <baton/report/html.hpp>
#include <baton/report/summary.hpp>
#include <baton/report/verdict_reasons.hpp>
// clang-format on
