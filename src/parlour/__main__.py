"""`python -m parlour`."""

from .cli.main import main

raise SystemExit(main())
