"""`python -m parlour`."""

from .cli import main

raise SystemExit(main())
