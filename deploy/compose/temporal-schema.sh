#!/bin/sh
# Creates or updates Temporal's schema in its two databases, as the role that owns them. Run again, it finds nothing to do.
# The address and the role are in the environment, as SQL_*.
set -eu
for database in temporal:temporal temporal_visibility:visibility; do
  export SQL_DATABASE="${database%:*}"
  temporal-sql-tool setup-schema -v 0.0
  temporal-sql-tool update-schema -d "/etc/temporal/schema/postgresql/v12/${database#*:}/versioned"
done
