"""python -m deskcheck: the command line, for launchers that start modules."""

from deskcheck.cli import main

if __name__ == "__main__":
    main()
