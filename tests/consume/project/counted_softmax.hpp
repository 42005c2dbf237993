// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A kernel of the user's own.
#pragma once

#include <baton/baton.hpp>

#include "switch.hpp"

struct counted_softmax : baton::portable::softmax {
  template <class Call>
  static void run(const Call& call) {
    ++softmaxes_run;
    baton::portable::softmax::run(call);
  }
};
