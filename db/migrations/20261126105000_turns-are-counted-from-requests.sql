-- Up Migration

-- When the last request to the host was really sent: a process may be late for its turn.
alter table scan_host_turns add column sent_at timestamptz;
