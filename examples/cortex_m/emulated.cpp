// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What an image under an emulator or a debugger adds to startup.cpp: main's result is the emulator's exit status, and instructions are
// counted from the start.
#include "measure.hpp"
#include "semihosting.hpp"

extern "C" {

void on_start() { firmware::instruction_counter::start(); }
[[noreturn]] void on_end(int status) { firmware::leave(status); }
void tick_handler() { firmware::rounds_of_ticks = firmware::rounds_of_ticks + 1; }
}
