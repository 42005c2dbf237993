#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2317 # functions that are called by name
#
# Builds the wheel, installs it in an empty virtual environment: sh tests/wheel/run.sh
# Needs python3 with venv, access to PyPI, cmake and g++. Exit status 0 means that all tests passed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=examples/expect.sh
. "$root/examples/expect.sh"
trap 'rm -rf "$work"' EXIT
version=$(sh "$root/tools/baton" --version | sed 's/^baton //')

python3 -m venv empty || exit 1
expect 0 "the wheel" empty/bin/pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir . "$root"
check "its name, with the version of the header" sh -c "ls baton-$version-py3-none-any.whl"
expect 0 "its installation" empty/bin/pip --disable-pip-version-check install --quiet --no-index "$work"/baton-*.whl
python=$work/empty/bin/python
expect 0 "the folder of the headers" "$python" -c 'import baton; print(baton.get_include())'
check "a header" test -f "$(cat out)/baton/baton.hpp"
expect 0 "the folder of the package" "$python" -c 'import baton; print(baton.get_cmake_dir())'
package=$(cat out)
expect 0 "the version" "$python" -c 'import baton; print(baton.__version__)'
check "that of the header" [ "$(cat out)" = "$version" ]

# A project that finds the package.
mkdir project
cp "$digits/digits_int8.tflite" project
cat > project/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(baton 0.1 CONFIG REQUIRED)
add_executable(user main.cpp)
baton_model(user digits_int8.tflite)
END
cat > project/main.cpp << 'END'
#include <digits_int8.hpp>
int main() { return digits_int8::output_0::size == 10 ? 0 : 1; }
END
expect 0 "configuring a project" cmake -S project -B project/build -G Ninja "-Dbaton_DIR=$package"
expect 0 "building it" cmake --build project/build
expect 0 "running it" project/build/user
exit $failed
