-- Up Migration

create table api_keys (
  id uuid primary key,
  site_id uuid not null references sites (id),
  member_id uuid not null references members (id),
  name text not null,
  kind text not null,
  key_prefix text not null,
  scopes text[] not null,
  held_by_agent boolean not null default false,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  constraint api_keys_kind_check check (kind in ('publishable', 'secret'))
);

create index api_keys_site_id_idx on api_keys (site_id, id);
create index api_keys_member_id_idx on api_keys (member_id);

-- A key's secrets: the current one, and older ones that a rotation left in their grace or retired. Only hashes.
create table api_key_secrets (
  hash bytea primary key,
  key_id uuid not null references api_keys (id),
  created_at timestamptz(3) not null,
  valid_until timestamptz(3),
  constraint api_key_secrets_hash_check check (octet_length(hash) = 32)
);

create index api_key_secrets_key_id_idx on api_key_secrets (key_id);

-- Fixed windows, one row a counted subject (key id or client address) and class. Lost in a crash, at no harm.
create unlogged table rate_limit_counters (
  subject text not null,
  class text not null,
  window_start timestamptz(3) not null,
  requests integer not null,
  primary key (subject, class)
) with (fillfactor = 50);
