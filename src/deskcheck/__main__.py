"""Start the command line by `python -m deskcheck`, for launchers that start modules."""

from deskcheck.cli import main

if __name__ == "__main__":
    main()
