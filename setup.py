"""The part of the build that ``pyproject.toml`` cannot describe."""

from setuptools import setup
from setuptools.command.build_ext import build_ext


class BuildWithoutRunPath(build_ext):
    """Leave the folder of the building Python's library out of the compiled files.

    Pythons that are built outside of the system add it to all extensions, which do not need it.
    """

    def build_extensions(self) -> None:
        """Build all extensions."""
        command = getattr(self.compiler, "linker_so", None)
        if command is not None:
            self.compiler.linker_so = [one for one in command if not one.startswith("-Wl,-rpath")]
        super().build_extensions()


setup(cmdclass={"build_ext": BuildWithoutRunPath})
