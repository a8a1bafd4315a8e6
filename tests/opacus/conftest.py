import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "support"))
