// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// For who asks about a graph, or changes one: producers and users, orders, cycles, cuts, copies.
// Made by: cmake -P cmake/umbrella.cmake
#pragma once

// clang-format off
#include <baton/graph/adjacency.hpp>
#include <baton/graph/components.hpp>
#include <baton/graph/copy.hpp>
#include <baton/graph/order.hpp>
#include <baton/graph/cycle.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/identical.hpp>
#include <baton/graph/minimum_cut.hpp>
#include <baton/graph/rewriter.hpp>
// clang-format on
