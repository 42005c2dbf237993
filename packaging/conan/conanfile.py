# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy


class Baton(ConanFile):
    name = "baton"
    version = "0.1.0"
    description = "Backend delegation at C++ compile time"
    license = "Apache-2.0"
    topics = ("machine-learning", "embedded", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"system_boost": [True, False]}  # True: use the installed headers of Boost.Hana, not Conan's package of Boost
    default_options = {"system_boost": False}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "tests/laws/*"):
            copy(self, pattern, src=root, dst=self.export_sources_folder)

    def requirements(self):
        if not self.options.system_boost:
            self.requires("boost/[>=1.74 <2]", options={"header_only": True})

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        # The package has its own baton-config.cmake, with baton_model() and the other functions.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "baton")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
