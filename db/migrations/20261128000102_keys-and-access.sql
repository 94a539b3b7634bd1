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
  -- How often the key was rotated: each rotation has a number.
  rotations integer not null default 0,
  -- The session that a key of the dashboard belongs to: it ends with it. Null for every other key.
  session_id uuid,
  constraint api_keys_kind_check check (kind in ('publishable', 'secret'))
);

create index api_keys_site_id_idx on api_keys (site_id, id);
create index api_keys_member_id_idx on api_keys (member_id);
-- A Site has a limited number of keys that work: they are counted with each new one.
create index api_keys_usable_idx on api_keys (site_id, expires_at) where revoked_at is null;
create index api_keys_dashboard_idx on api_keys (member_id, expires_at) where session_id is not null and revoked_at is null;
create index api_keys_dashboard_expiry_idx on api_keys (expires_at) where session_id is not null;

-- A key's secrets: the current one, and older ones that a rotation left in their grace or retired. Only hashes.
create table api_key_secrets (
  hash bytea primary key,
  key_id uuid not null references api_keys (id),
  created_at timestamptz(3) not null,
  valid_until timestamptz(3),
  -- The rotation that replaced the secret; null for the current one. A retired secret's hash is kept, so that its
  -- use is told from that of a secret nobody ever gave out.
  rotation integer,
  retired_at timestamptz(3),
  constraint api_key_secrets_hash_check check (octet_length(hash) = 32),
  -- Of two rotations at once one comes after the other: a key has one current secret.
  constraint api_key_secrets_rotation_key unique nulls not distinct (key_id, rotation),
  constraint api_key_secrets_replaced_check check ((rotation is null) = (valid_until is null)),
  constraint api_key_secrets_retired_check check (retired_at is null or rotation is not null)
);

-- Housekeeping looks for graces whose workflow was lost.
create index api_key_secrets_grace_idx on api_key_secrets (valid_until) where retired_at is null;

-- Fixed windows, one row a counted subject (key id or client address) and class. Lost in a crash, at no harm.
create unlogged table rate_limit_counters (
  subject text not null,
  class text not null,
  window_start timestamptz(3) not null,
  requests integer not null,
  primary key (subject, class)
) with (fillfactor = 50);

-- A counter's window moves once a minute at most; counting within it changes no index.
create index rate_limit_counters_window_start_idx on rate_limit_counters (window_start);

-- Successful answers by idempotency key, written in the transaction that did the work (docs/spec/rulings.md, 3).
create table idempotency_records (
  site_id uuid not null references sites (id),
  operation text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  location text,
  etag text,
  created_at timestamptz(3) not null,
  constraint idempotency_records_pkey primary key (site_id, operation, key)
);

create index idempotency_records_created_at_idx on idempotency_records (created_at);

-- What an agent's key asked a person to approve (docs/spec/rulings.md, 11). Bound to the key, the request and the
-- version of its target; used once, in the transaction of the operation it allows.
create table approvals (
  id uuid primary key,
  site_id uuid not null references sites (id),
  key_id uuid not null references api_keys (id),
  status text not null default 'pending',
  action text not null,
  method text not null,
  path text not null,
  -- What was sent, for the person who decides, and its hash. Forgotten once nothing is left to decide or do: it may
  -- hold a reader's address.
  body jsonb,
  body_hash bytea,
  -- null where the request has no target.
  target_version text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  decided_by_key_id uuid references api_keys (id),
  used_at timestamptz(3),
  -- What of its target the person who decides is shown, as it was when the agent asked.
  target jsonb,
  -- Which body was denied, so that the same call can be told so. A MAC: without the key nobody finds the body by trial.
  denied_body_mac bytea,
  constraint approvals_status_check check (status in ('pending', 'approved', 'denied', 'expired', 'used')),
  constraint approvals_decided_check check ((decided_at is null) = (decided_by_key_id is null)),
  constraint approvals_decided_status_check check (
    case status
      when 'pending' then decided_at is null
      when 'expired' then true
      else decided_at is not null
    end
  ),
  constraint approvals_used_check check ((status = 'used') = (used_at is not null)),
  constraint approvals_body_check check (
    (status in ('pending', 'approved')) = (body_hash is not null) and (body is null or body_hash is not null)
  )
);

create index approvals_site_id_idx on approvals (site_id, id);
create index approvals_open_idx on approvals (expires_at) where status in ('pending', 'approved');
-- Housekeeping deletes approvals that ended long ago.
create index approvals_ended_idx on approvals (expires_at) where status in ('denied', 'expired', 'used');
-- The same for approvals that wait.
create index approvals_pending_idx on approvals (site_id, expires_at) where status = 'pending';

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
  -- Where the request came from, for the limit of those that are open.
  client_network text not null,
  constraint device_authorizations_device_code_hash_key unique (device_code_hash),
  constraint device_authorizations_user_code_mac_key unique (user_code_mac),
  constraint device_authorizations_decision_check check (decision in ('approved', 'denied')),
  constraint device_authorizations_decided_check
    check ((decision is null) = (member_id is null) and (decision is null) = (site_id is null)),
  constraint device_authorizations_key_id_check check (key_id is null or decision = 'approved')
);

create index device_authorizations_expires_at_idx on device_authorizations (expires_at);
create index device_authorizations_open_idx on device_authorizations (client_network) where decision is null;

-- What a person has let a client of an agent do: one client, one Site, one key. Of codes and refresh tokens only hashes.
-- A grant that has ended is deleted; its key stays, revoked or expired.
create table oauth_grants (
  id uuid primary key,
  site_id uuid not null references sites (id),
  member_id uuid not null references members (id),
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  resource text not null,
  scopes text[] not null,
  code_hash bytea not null,
  code_challenge text not null,
  created_at timestamptz(3) not null,
  -- Of the code until it is exchanged, and of the refresh token afterwards.
  expires_at timestamptz(3) not null,
  -- The key that came of the code, and the refresh token: the part that stays, and the part that changes.
  key_id uuid references api_keys (id),
  family_hash bytea,
  refresh_hash bytea,
  -- The refresh token before, by its hash, and what was answered to it. A key made from that token seals the answer, so
  -- that whoever has the database alone can read none of it.
  replaced_hash bytea,
  replaced_at timestamptz(3),
  sealed_answer bytea,
  -- Where the request came from, for the limit of those that are open.
  client_network text not null,
  constraint oauth_grants_code_hash_key unique (code_hash),
  constraint oauth_grants_family_hash_key unique (family_hash),
  constraint oauth_grants_key_id_key unique (key_id),
  constraint oauth_grants_exchanged_check
    check ((key_id is null) = (family_hash is null) and (key_id is null) = (refresh_hash is null))
);

create index oauth_grants_expires_at_idx on oauth_grants (expires_at);
create index oauth_grants_site_id_idx on oauth_grants (site_id, expires_at);
create index oauth_grants_member_id_idx on oauth_grants (member_id);
create index oauth_grants_open_idx on oauth_grants (client_network) where key_id is null;

-- Keys of the dashboard come and go with sessions: those that have ended are deleted, with their secrets. All others are
-- kept as long as their Site.
create function keep_key() returns trigger language plpgsql as $$
begin
  if old.session_id is not null or exists (select from deletions where target_id = old.site_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create function keep_secret_of_key() returns trigger language plpgsql as $$
begin
  if exists (
    select from api_keys k where k.id = old.key_id
      and (k.session_id is not null or exists (select from deletions d where d.target_id = k.site_id))
  ) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create trigger api_keys_kept before delete on api_keys for each row execute function keep_key();
create trigger api_key_secrets_kept before delete on api_key_secrets
  for each row execute function keep_secret_of_key();
