"""``python -m belay_npu``: the command ``belay`` that the module uses."""
from __future__ import annotations

import os
import sys

from belay_npu import _home


def main() -> None:
    """Becomes ``belay``, with the words of this command line."""
    try:
        command = str(_home.find("bin/belay"))
    except _home.NotInstalled as missing:
        sys.exit(f"python -m belay_npu: {missing}")
    os.execv(command, [command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
