-- Up Migration

-- Systems that articles are pushed to.
create table cms_connections (
  id uuid primary key,
  site_id uuid not null references sites (id),
  kind text not null constraint cms_connections_kind_check check (kind in ('git', 'ghost', 'wordpress', 'http')),
  name text not null,
  config jsonb not null,
  -- Sealed.
  secret bytea,
  auto boolean not null,
  enabled boolean not null,
  last_error text,
  -- Counts the remotes that it has led to: what is known about posts is about one of them.
  generation integer not null default 1,
  -- The key of an ssh server, kept from the first contact.
  host_key text,
  -- Until when the remote has asked to be left alone.
  held_until timestamptz(3),
  -- One process pushes at a time. It renews its lease; a dead one loses it.
  leased_by uuid,
  leased_until timestamptz(3),
  -- When it was deleted: its rows are removed in batches, and it last.
  deleted_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint cms_connections_lease_check check ((leased_by is null) = (leased_until is null))
);

create index cms_connections_site_id_idx on cms_connections (site_id);
create index cms_connections_deleted_at_idx on cms_connections (deleted_at) where deleted_at is not null;

create table cms_pushes (
  id uuid primary key,
  site_id uuid not null references sites (id),
  connection_id uuid not null references cms_connections (id),
  force boolean not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Whether a push followed a change by itself: those that somebody asked for have a limit of their own.
  automatic boolean not null default false,
  -- The key that began it; null for what the service does by itself. What becomes of the key ends it. No foreign key: deleted
  -- keys of the dashboard leave what they began behind.
  key_id uuid
);

create index cms_pushes_site_id_idx on cms_pushes (site_id, created_at, id);
create index cms_pushes_connection_id_idx on cms_pushes (connection_id);
create index cms_pushes_finished_at_idx on cms_pushes (finished_at) where finished_at is not null;

create table cms_push_items (
  push_id uuid not null references cms_pushes (id) on delete cascade,
  position integer not null,
  connection_id uuid not null,
  -- The article may be deleted.
  article_id uuid not null,
  status text not null constraint cms_push_items_status_check
    check (status in ('waiting', 'succeeded', 'failed', 'diverged')),
  remote_url text,
  error text,
  attempts integer not null default 0,
  -- When the next attempt is due.
  due_at timestamptz(3),
  primary key (push_id, position),
  constraint cms_push_items_due_check check ((status = 'waiting') = (due_at is not null))
);

create index cms_push_items_due_idx on cms_push_items (connection_id, due_at) where due_at is not null;

-- What is known about posts at the remote, as the adapter of the kind needs it.
create table cms_remote_posts (
  connection_id uuid not null references cms_connections (id),
  -- The article may be deleted.
  article_id uuid not null,
  -- After the last push; null before the first.
  state jsonb,
  -- What was about to be written, until it is known whether it was.
  intent jsonb,
  updated_at timestamptz(3) not null,
  primary key (connection_id, article_id)
);

-- Images that a remote has got.
create table cms_remote_images (
  connection_id uuid not null references cms_connections (id),
  -- The SHA-256 of its URL here.
  source bytea not null,
  remote jsonb not null,
  created_at timestamptz(3) not null,
  primary key (connection_id, source)
);
