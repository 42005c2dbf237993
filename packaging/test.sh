#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests channels of this folder, each with a project that uses Baton: sh packaging/test.sh [CHANNEL...]
# Installs missing packages (those of Debian 12, and those of PyPI in build/packaging/venv). Without arguments, tests all channels. Exit status 0
# means that no test failed. These variables are paths of files that neither Debian nor PyPI has. Without a path, the test of this file is skipped:
#   CPM_FILE           CPM.cmake
#   VCPKG_SCHEMA       vcpkg.schema.json of vcpkg-tool
#   PACK_SCHEMA        PACK.xsd of Open-CMSIS-Pack-Spec
#   ARDUINO_SCHEMA     arduino-library-properties-strict-schema.json of arduino-lint
#   PICO_SDK_PATH      the Pico SDK, for the templates of examples/boards
set -u
cd "$(dirname "$0")/.." || exit 1
root=$(pwd)
work=$root/build/packaging
channels="cmake conan meson vcpkg debian platformio arduino zephyr esp-idf cmsis-pack bazel boards"

for channel in "$@"; do
  case " $channels " in
    *" $channel "*) ;;
    *)
      echo "usage: sh packaging/test.sh [CHANNEL...]; the channels are: $channels" >&2
      exit 2
      ;;
  esac
done
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $channels

# A test is a function test_<channel>, which runs in a subshell in an empty folder. `set -e` ends it at the first command that fails.
# skip SENTENCE: reports a part that is not tested, and continues.
skip() { echo "SKIPPED: $channel: $1" | tee -a "$work/skipped"; }
# have PACKAGE...: installs Debian's packages that are missing.
have() {
  missing=""
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q '^install ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  sudo=""
  if [ "$(id -u)" != 0 ]; then sudo=sudo; fi
  # shellcheck disable=SC2086 # a list of words
  $sudo env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing" > /dev/null
}
# python PACKAGE...: installs PyPI's packages.
python() {
  have python3-venv
  [ -x "$work/venv/bin/pip" ] || python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q --disable-pip-version-check "$@"
}
# validate SCHEMA FILE
validate() {
  python jsonschema
  "$work/venv/bin/python" "$root/packaging/validate.py" "$1" "$2"
}
# assemble CHANNEL FOLDER: the channel's folder with the bundle.
assemble() {
  have cmake libboost-dev
  sh "$source/packaging/assemble.sh" "$1" "$2"
}
# runs_right COMMAND...: runs the program, and compares its output.
runs_right() {
  said=$("$@")
  [ "$said" = "baton $version: 3 42" ] || {
    echo "expected \"baton $version: 3 42\", actual: \"$said\"" >&2
    return 1
  }
}
# package_works PREFIX: builds and runs a project that finds the package in PREFIX.
package_works() {
  sed 's|../../consumer/||' "$source/packaging/conan/test_package/CMakeLists.txt" > CMakeLists.txt
  cp "$source/packaging/consumer/main.cpp" .
  cmake -S . -B consumer "-DCMAKE_PREFIX_PATH=$1"
  cmake --build consumer
  runs_right consumer/consumer
}

test_cmake() {
  have cmake libboost-dev
  cp "$root/packaging/cmake/CMakeLists.txt" "$root/packaging/consumer/main.cpp" .
  cmake -S . -B fetch "-DBATON_URL=file://$archive"
  cmake --build fetch
  runs_right fetch/consumer
  if [ -n "${CPM_FILE:-}" ]; then
    cmake -S . -B cpm "-DBATON_URL=file://$archive" "-DCPM_FILE=$CPM_FILE"
    cmake --build cpm
    runs_right cpm/consumer
  else
    skip "CPM: CPM_FILE is not set; FetchContent, which it calls, is tested"
  fi
}

test_conan() {
  have cmake libboost-dev
  python conan
  export CONAN_HOME="$work/conan/home" # an empty cache
  conan="$work/venv/bin/conan"
  "$conan" profile detect
  # No server is reached, so the package of Boost contains Debian's headers.
  "$conan" remote disable '*'
  tar -xf "$archive" # Conan builds the test package in the folder of the sources
  mkdir boost
  cat > boost/conanfile.py << 'END'
from conan import ConanFile
from conan.tools.files import copy


class Boost(ConanFile):
    name = "boost"
    version = "1.74.0"
    options = {"header_only": [True, False]}
    default_options = {"header_only": True}

    def package(self):
        copy(self, "boost/*", src="/usr/include", dst=self.package_folder + "/include")
END
  "$conan" create boost
  "$conan" create "baton-$version/packaging/conan" -s compiler.cppstd=20 > created 2>&1 || { cat created; return 1; }
  grep -qx "baton $version: 3 42" created
  grep -rq "^BATON_HANA_INCLUDE_DIR:PATH=$CONAN_HOME" --include=CMakeCache.txt "baton-$version/packaging/conan/test_package/build"
  "$conan" create "baton-$version/packaging/conan" -s compiler.cppstd=20 -o 'baton/*:system_boost=True' --test-folder=
}

test_meson() {
  have libboost-dev ninja-build
  python meson
  cp -r "$source/packaging/meson/." "$source/packaging/consumer/main.cpp" .
  cp "$archive" subprojects/packagefiles/
  "$work/venv/bin/meson" setup build
  "$work/venv/bin/meson" compile -C build
  runs_right build/consumer
}

test_vcpkg() {
  have cmake libboost-dev
  if [ -n "${VCPKG_SCHEMA:-}" ]; then
    validate "$VCPKG_SCHEMA" "$source/packaging/vcpkg/baton/vcpkg.json"
  else
    skip "the schema of vcpkg.json: VCPKG_SCHEMA is not set"
  fi
  # The port file, with stubs of the functions of vcpkg that it calls.
  cat > vcpkg.cmake << 'END'
set(CURRENT_PACKAGES_DIR "${OUT}/installed")
function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "" ${ARGV})
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${OUT}/build" "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_install)
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${OUT}/build" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(arg "" "CONFIG_PATH" "" ${ARGV})
  file(RENAME "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/share/baton")
  foreach(name IN ITEMS baton-config baton_targets)
    file(READ "${CURRENT_PACKAGES_DIR}/share/baton/${name}.cmake" text)
    string(REPLACE "/../../../" "/../../" text "${text}")
    string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nif" "if" text "${text}")
    file(WRITE "${CURRENT_PACKAGES_DIR}/share/baton/${name}.cmake" "${text}")
  endforeach()
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGV})
  file(COPY_FILE ${arg_FILE_LIST} "${CURRENT_PACKAGES_DIR}/share/baton/copyright")
endfunction()
include("${PORT}/portfile.cmake")
END
  cmake "-DOUT=$PWD" "-DPORT=$source/packaging/vcpkg/baton" -P vcpkg.cmake
  ls installed/share
  package_works "$PWD/installed"
  skip "vcpkg itself, which neither Debian nor PyPI has; the port file runs with stubs of vcpkg's functions"
}

test_debian() {
  have debhelper dpkg-dev lintian cmake libboost-dev librange-v3-dev
  cp "$archive" "baton_$version.orig.tar.gz"
  tar -xf "$archive"
  cp -r "$source/packaging/debian" "baton-$version/"
  (cd "baton-$version" && dpkg-buildpackage -us -uc)
  lintian --fail-on error,warning --info "baton_$version-1_"*.changes
  dpkg-deb -x "libbaton-dev_$version-1_all.deb" installed
  package_works "$PWD/installed/usr"
}

test_platformio() {
  python platformio
  assemble platformio package
  export PLATFORMIO_CORE_DIR="$PWD/core" PLATFORMIO_SETTING_ENABLE_TELEMETRY=no
  if ! "$work/venv/bin/pio" pkg pack package -o .; then
    # PlatformIO downloads the list of licenses, to compare with it.
    sed -i '/"license":/d' package/library.json
    "$work/venv/bin/pio" pkg pack package -o .
    skip "the check of the license, for which PlatformIO reads a list from the internet"
  fi
  mkdir unpacked
  tar -C unpacked -xf "Baton-$version.tar.gz"
  g++ -std=c++20 -Iunpacked/include "$source/packaging/consumer/main.cpp" -o consumer
  runs_right ./consumer
  skip "a build by PlatformIO, whose platforms are on its own server; g++ builds a program with the packed library"
}

test_arduino() {
  have g++ gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib
  assemble arduino Baton
  ls Baton/library.properties Baton/LICENSE Baton/src/baton.h Baton/src/baton/baton.hpp Baton/examples/sum/sum.ino
  mkdir core
  # The part of Arduino.h that the sketch uses, and macros of it that are also words of C++ code.
  cat > core/Arduino.h << 'END'
#include <cstdint>
#include <cstdio>
#define LOW 0
#define HIGH 1
#define DEFAULT 1
#define INTERNAL 2
#define EXTERNAL 0
#define CHANGE 2
#define PI 3.14
#define B0 0
#define B1 1
#define F(text) (text)
#define bit(b) (1UL << (b))
#define sq(x) ((x) * (x))
#define constrain(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))
#define lowByte(w) ((uint8_t)((w) & 0xff))
#define interrupts() sei()
typedef uint8_t byte;
typedef uint16_t word;
struct printer {
  void begin(long) {}
  void println(float number) { std::printf("%g\n", static_cast<double>(number)); }
};
inline printer Serial;
inline void delay(unsigned long) {}
END
  { echo '#include <Arduino.h>'; cat Baton/examples/sum/sum.ino; echo 'int main() { setup(); loop(); }'; } > sketch.cpp
  g++ -std=gnu++20 -fno-exceptions -fno-rtti -Icore -IBaton/src sketch.cpp -o sketch
  [ "$(./sketch)" = "$(printf '3\n42')" ]
  arm-none-eabi-g++ -std=gnu++20 -mcpu=cortex-m4 -mthumb -fno-exceptions -fno-rtti -Os -Icore -IBaton/src -c sketch.cpp
  if [ -n "${ARDUINO_SCHEMA:-}" ]; then
    validate "$ARDUINO_SCHEMA" Baton/library.properties
  else
    skip "the schema of library.properties: ARDUINO_SCHEMA is not set"
  fi
  skip "arduino-lint and Arduino's own build, which neither Debian nor PyPI has; GCC builds the sketch for this machine and a Cortex-M4"
}

test_zephyr() {
  have cmake libboost-dev git
  python west kconfiglib
  # A workspace whose manifest names this repository.
  mkdir -p workspace/app
  cp -r "$source" baton
  (cd baton && git init -q -b main . && git add -A && git -c user.name=test -c user.email=test@localhost commit -qm "a copy")
  cat > workspace/app/west.yml << END
manifest:
  projects:
    - name: baton
      url: file://$PWD/baton
      revision: main
  self:
    path: app
END
  (cd workspace && "$work/venv/bin/west" init -l app && "$work/venv/bin/west" -q update && "$work/venv/bin/west" list baton)
  # Kconfig of Zephyr, as far as the module refers to it.
  printf 'config CPP\n\tbool\n\tdefault y\nconfig STD_CPP20\n\tbool\n\tdefault y\nconfig REQUIRES_FULL_LIBCPP\n\tbool\nsource "%s"\n' \
    "$PWD/workspace/baton/packaging/zephyr/Kconfig" > Kconfig
  "$work/venv/bin/python" -c '
import kconfiglib
kconf = kconfiglib.Kconfig("Kconfig", warn_to_stderr=False)
assert not kconf.warnings, kconf.warnings
kconf.syms["BATON"].set_value("y")
assert kconf.syms["BATON"].str_value == kconf.syms["REQUIRES_FULL_LIBCPP"].str_value == "y"'
  # A build with a stub of Zephyr.
  cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
add_library(zephyr_interface INTERFACE)
set(CONFIG_BATON y)
add_subdirectory(workspace/baton/packaging/zephyr module)
add_executable(consumer workspace/baton/packaging/consumer/main.cpp)
target_link_libraries(consumer PRIVATE zephyr_interface)
END
  cmake -S . -B build
  cmake --build build
  runs_right build/consumer
  skip "a build by Zephyr, which neither Debian nor PyPI has; west imports the module, and CMake builds with a stub of Zephyr's target"
}

test_esp_idf() {
  have g++
  python idf-component-manager
  assemble esp-idf component
  "$work/venv/bin/compote" component pack --project-dir component --name baton --dest-dir "$PWD"
  ls "baton_$version.tgz"
  # A build with a stub of ESP-IDF.
  cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
function(idf_component_register)
  cmake_parse_arguments(arg "" "" "INCLUDE_DIRS" ${ARGV})
  add_library(baton INTERFACE)
  target_include_directories(baton INTERFACE ${arg_INCLUDE_DIRS})
  set(COMPONENT_LIB baton PARENT_SCOPE)
endfunction()
add_subdirectory(component)
END
  printf 'add_executable(consumer "%s")\ntarget_link_libraries(consumer PRIVATE baton)\n' "$source/packaging/consumer/main.cpp" >> CMakeLists.txt
  cmake -S . -B build
  cmake --build build
  runs_right build/consumer
  skip "a build by ESP-IDF, which neither Debian nor PyPI has; compote packs the component, and CMake builds with a stub of ESP-IDF's function"
}

test_cmsis_pack() {
  have libxml2-utils gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib
  assemble cmsis-pack pack
  if [ -n "${PACK_SCHEMA:-}" ]; then
    xmllint --noout --schema "$PACK_SCHEMA" pack/Baton.Baton.pdsc
  else
    xmllint --noout pack/Baton.Baton.pdsc
    skip "the schema of the .pdsc file: PACK_SCHEMA is not set"
  fi
  # The files that the description names are in the pack.
  xmllint --xpath '//file/@name | //license/text()' pack/Baton.Baton.pdsc | sed 's/ *name="\(.*\)"/\1/' > files
  while read -r file; do ls -d "pack/$file"; done < files
  (cd pack && cmake -E tar cf "../Baton.Baton.$version.pack" --format=zip -- *)
  arm-none-eabi-g++ -std=gnu++20 -mcpu=cortex-m4 -mthumb -fno-exceptions -fno-rtti -Os -Ipack/include -c "$source/packaging/consumer/main.cpp"
  skip "a build by a CMSIS toolbox, which neither Debian nor PyPI has; GCC compiles a program with the pack for a Cortex-M4"
}

test_bazel() {
  have bazel-bootstrap libboost-dev
  cp -r "$source" baton
  cp "$source"/packaging/bazel/* baton/
  touch baton/WORKSPACE
  # Debian's Bazel 4 does not read MODULE.bazel, so WORKSPACE names the modules that it lists; that file is only parsed.
  python3 -c 'import ast; ast.parse(open("baton/MODULE.bazel").read())'
  mkdir -p boost app
  ln -s /usr/include/boost boost/boost
  touch boost/WORKSPACE
  echo 'cc_library(name = "boost.hana", hdrs = glob(["boost/**/*.hpp"]), includes = ["."], visibility = ["//visibility:public"])' > boost/BUILD
  cp "$source/packaging/consumer/main.cpp" app/
  # Bazel 4 contains the rules, but loads them from these modules.
  for rules in cc/library,binary,test,import,toolchain,toolchain_suite java/library,binary,test,import,toolchain,runtime,package_configuration; do
    language=${rules%/*}
    mkdir -p "rules_$language/$language"
    touch "rules_$language/WORKSPACE" "rules_$language/$language/BUILD"
    for rule in $(echo "${rules#*/}" | tr , ' '); do
      echo "${language}_$rule = native.${language}_$rule"
    done > "rules_$language/$language/defs.bzl"
    echo "local_repository(name = \"rules_$language\", path = \"$PWD/rules_$language\")" >> app/WORKSPACE
  done
  for repository in "boost.hana=$PWD/boost" "baton=$PWD/baton"; do
    echo "local_repository(name = \"${repository%%=*}\", path = \"${repository#*=}\")" >> app/WORKSPACE
  done
  cat > app/BUILD << 'END'
load("@rules_cc//cc:defs.bzl", "cc_binary")

cc_binary(name = "consumer", srcs = ["main.cpp"], copts = ["-std=c++20"], deps = ["@baton"])
END
  (cd app && bazel --batch "--output_user_root=$work/bazel-root" build //:consumer)
  runs_right app/bazel-bin/consumer
  skip "MODULE.bazel, which Debian's Bazel 4 does not read; it is parsed, and BUILD.bazel builds a program"
}

# The templates of examples/boards, some of which use channels.
test_boards() {
  have cmake make g++ libboost-dev gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm
  sh "$source/examples/boards/test.sh"
  [ -n "${PICO_SDK_PATH:-}" ] || skip "the Pico SDK: PICO_SDK_PATH is not set; the template is built with a stub"
  skip "Zephyr, ESP-IDF and Arduino, which neither Debian nor PyPI has; these templates are built with stubs"
}

mkdir -p "$work"
: > "$work/skipped"
version=$(cmake -DPRINT=ON -P cmake/versions.cmake 2>&1)
# The archive of a release, with the files of the repository, committed or not.
source=$work/source/baton-$version
archive=$work/source/baton-$version.tar.gz
rm -rf "$work/source"
mkdir -p "$source"
git ls-files -co --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - 2> /dev/null | tar -C "$source" -xf - || exit 1
tar -C "$work/source" -czf "$archive" "baton-$version" || exit 1

passed=0
failed=0
for channel in "$@"; do
  echo "== $channel"
  rm -rf "${work:?}/$channel"
  mkdir -p "$work/$channel"
  name=$(echo "$channel" | tr - _)
  # Not a condition of an `if`, which would disable `set -e`.
  (
    set -e
    cd "$work/$channel"
    "test_$name"
  ) > "$work/$channel.log" 2>&1
  status=$?
  if [ $status = 0 ]; then
    passed=$((passed + 1))
    grep "^SKIPPED: $channel: " "$work/skipped"
    echo "passed: $channel"
  else
    failed=$((failed + 1))
    tail -n 30 "$work/$channel.log" >&2
    echo "FAILED: $channel; the output is in $work/$channel.log" >&2
  fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
