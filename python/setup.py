"""pip install --no-build-isolation ./python: CMake builds the module beside the program, in build/release of the checkout.

EXTREMAL_MODULE is one that is built already, and is taken as it is.
"""
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, "build", "release")


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        place = self.get_ext_fullpath(ext.name)
        made = os.environ.get("EXTREMAL_MODULE") or self.make(os.path.basename(place))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy(made, place)

    def make(self, name):
        options = ["-DEXTREMAL_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        if not os.path.exists(os.path.join(build, "build.ninja")):  # otherwise as it is: with the tests after ./test
            options += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DEXTREMAL_TESTS=OFF", "-DEXTREMAL_BENCH=OFF"]
        os.makedirs(build, exist_ok=True)
        lock = ["flock", os.path.join(root, "build", ".lock")]  # that of ./extremal and ./test
        subprocess.run([*lock, "cmake", "-S", root, "-B", build, *options], check=True)
        subprocess.run([*lock, "cmake", "--build", build, "--target", "extremal_python"], check=True)
        # The choice of interpreter is this environment's, which may be gone when the checkout is built next.
        subprocess.run([*lock, "cmake", "-S", root, "-B", build, "-UPython3_EXECUTABLE", "-U_Python3_*"], check=True)
        return os.path.join(build, "python", "extremal", name)


with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as file:
    version = re.search(r"project\(extremal VERSION ([0-9.]+)", file.read()).group(1)
setup(version=version, ext_modules=[Extension("extremal._extremal", [])], cmdclass={"build_ext": CMakeBuild})
