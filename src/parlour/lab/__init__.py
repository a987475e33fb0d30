"""The lab: what each reading of a sheet does to its game, measured over many sittings."""
