"""Records of sittings, and their seals."""
