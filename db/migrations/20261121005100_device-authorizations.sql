-- Up Migration

-- Sign-ins by device code (RFC 8628). Of the codes only a hash and a MAC; of the key, which the poll that
-- collects it makes, never a secret.
create table device_authorizations (
  id uuid primary key,
  device_code_hash bytea not null,
  user_code_mac bytea not null,
  client_name text not null,
  scopes text[] not null,
  held_by_agent boolean not null,
  client_address text not null,
  poll_interval integer not null,
  last_polled_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decision text,
  -- Who decided: a person, with a key of theirs or (null) on the page. The key made will be theirs.
  member_id uuid references members (id),
  deciding_key_id uuid references api_keys (id),
  site_id uuid references sites (id),
  key_id uuid references api_keys (id),
  constraint device_authorizations_device_code_hash_key unique (device_code_hash),
  constraint device_authorizations_user_code_mac_key unique (user_code_mac),
  constraint device_authorizations_decision_check check (decision in ('approved', 'denied')),
  constraint device_authorizations_decided_check
    check ((decision is null) = (member_id is null) and (decision is null) = (site_id is null)),
  constraint device_authorizations_key_id_check check (key_id is null or decision = 'approved')
);

create index device_authorizations_expires_at_idx on device_authorizations (expires_at);
