"""Belay in the place where other tools call a compiler; docs/integrations."""
