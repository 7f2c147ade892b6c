"""The version of Belay. CMakeLists.txt reads this line."""
__version__ = "0.1.0"
