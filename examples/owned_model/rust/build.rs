// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
//! Builds the library of ../c/CMakeLists.txt, which contains the model, and links it. No crate is needed.
use std::{env, process::Command};

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let cmake = |arguments: &[&str]| assert!(Command::new("cmake").args(arguments).status().expect("cmake is not installed").success());
    cmake(&["-S", "../c", "-B", &out, "-DCMAKE_BUILD_TYPE=Release"]);
    cmake(&["--build", &out, "--target", "digits"]);
    println!("cargo:rerun-if-changed=../c/CMakeLists.txt\ncargo:rerun-if-changed=../../digits/digits_int8.tflite");
    println!("cargo:rustc-link-search={out}\ncargo:rustc-link-lib=static=digits\ncargo:rustc-link-lib=m");
}
