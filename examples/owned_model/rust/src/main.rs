// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
//! Calls a model from Rust. The declarations are those of digits.h, which `bindgen` can also translate.
use std::ffi::CStr;
use std::os::raw::{c_char, c_int};

extern "C" {
    fn digits_run(pixels: *const i8, scores: *mut i8) -> c_int;
    fn digits_status_text(status: c_int) -> *const c_char;
}

/// Runs one inference. Needs `&mut`, because the model has one arena.
struct Digits;

impl Digits {
    fn run(&mut self, pixels: &[i8; 64]) -> Result<[i8; 10], &'static str> {
        let mut scores = [0; 10];
        // The arrays have the sizes DIGITS_INPUT_0_SIZE and DIGITS_OUTPUT_0_SIZE.
        match unsafe { digits_run(pixels.as_ptr(), scores.as_mut_ptr()) } {
            0 => Ok(scores),
            status => Err(unsafe { CStr::from_ptr(digits_status_text(status)) }.to_str().unwrap()),
        }
    }
}

fn main() {
    // A seven, 8 by 8 pixels from -128 to 127.
    let drawn = b" 9999999 9999999      99     99    99999    99     99      99   ";
    let pixels = drawn.map(|c| if c == b' ' { -128 } else { 127 });
    match Digits.run(&pixels) {
        Ok(scores) => println!("it is a {}", (0..scores.len()).max_by_key(|&i| scores[i]).unwrap()),
        Err(status) => eprintln!("digits: {status}"),
    }
}
