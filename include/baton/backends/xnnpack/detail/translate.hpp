// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The translation table. Each row translates an operator of the model to an operator of an XNNPACK subgraph. A node is supported if a row
// translates it.
#pragma once

#include <baton/backend/translation_table.hpp>
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/instruction.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/translate_elements.hpp>
#include <baton/backends/xnnpack/detail/translate_layers.hpp>
#include <baton/backends/xnnpack/detail/translate_moves.hpp>
#include <baton/backends/xnnpack/detail/translate_pools.hpp>
#include <baton/core/program.hpp>

namespace baton::xnnpack::detail {

/// The operators of a version of XNNPACK. To add an operator, add a row here, an `opcode`, and its definition in `define.hpp`.
template <library Has>
using operators_of = translation_table<                                                       //
    translates<"tfl.conv_2d", translate_convolution<Has>>,                                    //
    translates<"tfl.depthwise_conv_2d", translate_depthwise>,                                 //
    translates<"tfl.fully_connected", translate_fully_connected<Has>>,                        //
    translates<"tfl.transpose_conv", translate_transposed<Has>>,                              //
    translates<"tfl.average_pool_2d", translate_whole_average>,                               //
    translates<"tfl.average_pool_2d", translate_pool<opcode::average_pooling>>,               //
    translates<"tfl.max_pool_2d", translate_pool<opcode::max_pooling>>,                       //
    translates<"tfl.mean", translate_mean>,                                                   //
    translates<"tfl.add", translate_pair<opcode::add>>,                                       //
    translates<"tfl.sub", translate_pair<opcode::subtract>>,                                  //
    translates<"tfl.mul", translate_pair<opcode::multiply>>,                                  //
    translates<"tfl.div", translate_pair<opcode::divide>>,                                    //
    translates<"tfl.maximum", translate_pair<opcode::maximum>>,                               //
    translates<"tfl.minimum", translate_pair<opcode::minimum>>,                               //
    translates<"tfl.squared_difference", translate_pair<opcode::squared_difference>>,         //
    translates<"tfl.prelu", translate_prelu>,                                                 //
    translates<"tfl.relu", translate_clamp<activation::relu>>,                                //
    translates<"tfl.relu6", translate_clamp<activation::relu6>>,                              //
    translates<"tfl.relu_n1_to_1", translate_clamp<activation::relu_n1_to_1>>,                //
    translates<"tfl.logistic", translate_curve<opcode::sigmoid, elements::float32_or_int8>>,  //
    translates<"tfl.tanh", translate_tanh<Has>>,                                              //
    translates<"tfl.elu", translate_curve<opcode::elu, elements::float32_or_int8>>,           //
    translates<"tfl.softmax", translate_softmax>,                                             //
    translates<"tfl.hard_swish", translate_curve<opcode::hard_swish, elements::float32>>,     //
    translates<"tfl.leaky_relu", translate_leaky_relu>,                                       //
    translates<"tfl.abs", translate_curve<opcode::absolute, elements::float32>>,              //
    translates<"tfl.neg", translate_curve<opcode::negate, elements::float32>>,                //
    translates<"tfl.floor", translate_curve<opcode::floor, elements::float32>>,               //
    translates<"tfl.ceil", translate_curve<opcode::ceiling, elements::float32>>,              //
    translates<"tfl.round", translate_curve<opcode::round, elements::float32>>,               //
    translates<"tfl.square", translate_curve<opcode::square, elements::float32>>,             //
    translates<"tfl.sqrt", translate_curve<opcode::square_root, elements::float32>>,          //
    translates<"tfl.quantize", translate_convert>,                                            //
    translates<"tfl.dequantize", translate_convert>,                                          //
    translates<"tfl.pad", translate_pad>,                                                     //
    translates<"tfl.padv2", translate_pad>,                                                   //
    translates<"tfl.reshape", translate_reshape>,                                             //
    translates<"tfl.squeeze", translate_reshape>,                                             //
    translates<"tfl.expand_dims", translate_reshape>,                                         //
    translates<"tfl.resize_bilinear", translate_resize>,                                      //
    translates<"tfl.depth_to_space", translate_depth_to_space>,                               //
    translates<"tfl.concatenation", translate_concatenation<Has>>,                            //
    translates<"baton.conv_2d", translate_convolution<Has>>,                                  //
    translates<"baton.depthwise_conv_2d", translate_depthwise>,                               //
    translates<"baton.fully_connected", translate_fully_connected<Has>>,                      //
    translates<"baton.max_pool_2d", translate_pool<opcode::max_pooling>>,                     //
    translates<"baton.average_pool_2d", translate_pool<opcode::average_pooling>>,             //
    translates<"baton.add", translate_pair<opcode::add>>,                                     //
    translates<"baton.sub", translate_pair<opcode::subtract>>,                                //
    translates<"baton.mul", translate_pair<opcode::multiply>>,                                //
    translates<"baton.quantize", translate_convert>>;

/// The operators of the installed version.
using operators = operators_of<installed_library>;

}  // namespace baton::xnnpack::detail
