"""The version of Belay. CMakeLists.txt reads this line."""
__version__ = "0.2.0"
