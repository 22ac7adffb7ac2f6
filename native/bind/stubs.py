"""Write the stubs of the compiled module: python stubs.py MODULE_FILE FOLDER.

nanobind's generator imports modules by name. The name must be `treaty._native`, or else the stubs
import each other from nowhere; and the module must be the one just built, not one installed before.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from nanobind.stubgen import main

file, folder = sys.argv[1:]
spec = spec_from_file_location("treaty._native", file)
sys.modules["treaty"] = ModuleType("treaty")
sys.modules[spec.name] = module_from_spec(spec)
spec.loader.exec_module(sys.modules[spec.name])
main(["--quiet", "--recursive", "--module", spec.name, "--output-dir", folder])
