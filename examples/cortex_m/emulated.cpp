// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Extends startup.cpp for an emulator or a debugger: the result of main() becomes the exit status of the emulator, and instructions are
// counted from the start.
#include "measure.hpp"
#include "semihosting.hpp"

extern "C" {

void on_start() { firmware::instruction_counter::start(); }
[[noreturn]] void on_end(int status) { firmware::leave(status); }
void tick_handler() { firmware::rounds_of_ticks = firmware::rounds_of_ticks + 1; }
}
