"""Printing: packs to cut out, rule sheets to fold, score sheets, counters and case labels as PDF, by Typst."""
