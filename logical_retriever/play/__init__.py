"""The playground: a page that asks, shows why, and lets a query be taken apart; served, or without a server."""
