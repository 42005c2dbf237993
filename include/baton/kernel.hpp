// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// For who writes a kernel or defines an operator: the concept, what a kernel tells the planner, what it checks of a node, inference.
// Made by: cmake -P cmake/umbrella.cmake
#pragma once

// clang-format off
#include <baton/operators/known_integers.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/flexbuffer.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>
#include <baton/kernels/node_check.hpp>
// clang-format on
