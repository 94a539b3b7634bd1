-- Up Migration

-- When scans may next send a request to a host: its requests take turns, whichever worker sends them.
create table scan_host_turns (
  host text primary key,
  next_at timestamptz(3) not null
);

create index scan_host_turns_next_at_idx on scan_host_turns (next_at);
