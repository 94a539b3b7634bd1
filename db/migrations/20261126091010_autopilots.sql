-- Up Migration

-- When a Site has runs started from its content plan by themselves. A Schedule in Temporal follows the row.
create table autopilots (
  site_id uuid primary key references sites (id),
  enabled boolean not null,
  weekdays text[] not null,
  -- In the timezone of the Site.
  time text not null,
  items integer not null,
  -- Counts what the Schedule has to follow, the timezone included, and how far it has followed.
  revision integer not null default 1,
  changed_at timestamptz(3) not null,
  followed_revision integer not null default 0,
  followed_at timestamptz(3),
  -- The last firing: its workflow, and what became of it.
  last_firing text,
  last_at timestamptz(3),
  last_run_id uuid references pipeline_runs (id),
  last_error_code text,
  last_error_message text,
  constraint autopilots_weekdays_check check (
    cardinality(weekdays) > 0 and weekdays <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  ),
  constraint autopilots_items_check check (items between 1 and 10),
  constraint autopilots_last_check check (
    num_nulls(last_firing, last_at) in (0, 2) and num_nulls(last_error_code, last_error_message) in (0, 2)
    and (last_at is null or num_nonnulls(last_run_id, last_error_code) = 1)
  )
);

create index autopilots_not_followed_idx on autopilots (changed_at) where followed_revision <> revision;
create index autopilots_followed_at_idx on autopilots (followed_at) where enabled;
