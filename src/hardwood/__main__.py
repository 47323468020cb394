"""`python -m hardwood` is the command `hardwood`."""

from hardwood.cli import main

if __name__ == "__main__":
    main()
