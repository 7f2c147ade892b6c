"""What the tests of the Python package share."""
import os
import pathlib

import pytest

ROOT = pathlib.Path(os.environ["BELAY_SOURCE"])
HERE = pathlib.Path(__file__).resolve().parent
SOCS = ("Ascend910B3", "Ascend310P3", "Ascend950PR_9599")


@pytest.fixture
def root():
    return ROOT
