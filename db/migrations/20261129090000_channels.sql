-- Up Migration

-- Where a Site is told, beside its people: in a channel of Slack, or of what takes its messages, or of Teams.
create table channels (
  id uuid primary key,
  site_id uuid not null references sites (id),
  kind text not null,
  name text not null,
  -- The URL, which is a secret, sealed.
  secret bytea not null,
  host text not null,
  -- The kinds of notifications that it gets.
  kinds text[] not null,
  enabled boolean not null,
  -- Why the last attempt failed; null after a success.
  last_error text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint channels_kind_check check (kind in ('slack', 'teams'))
);

create index channels_site_id_idx on channels (site_id);

-- What a channel is told: one row for each event.
create table channel_messages (
  id uuid primary key,
  channel_id uuid not null references channels (id) on delete cascade,
  kind text not null,
  -- As of a notification: never a secret, a name of a person or anything that a reader wrote.
  details jsonb not null,
  target_id uuid,
  created_at timestamptz(3) not null,
  -- When it is to be sent; null if it was, or is not any more.
  due_at timestamptz(3),
  attempts integer not null default 0,
  sent_at timestamptz(3)
);

create index channel_messages_channel_id_idx on channel_messages (channel_id, created_at);
create index channel_messages_due_idx on channel_messages (channel_id, due_at) where due_at is not null;
-- Housekeeping deletes them by their age.
create index channel_messages_created_at_idx on channel_messages (created_at);
