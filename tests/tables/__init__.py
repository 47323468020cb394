"""Every table that several tests generate."""
