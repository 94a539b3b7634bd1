-- Up Migration

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
  constraint oauth_grants_code_hash_key unique (code_hash),
  constraint oauth_grants_family_hash_key unique (family_hash),
  constraint oauth_grants_key_id_key unique (key_id),
  constraint oauth_grants_exchanged_check
    check ((key_id is null) = (family_hash is null) and (key_id is null) = (refresh_hash is null))
);

create index oauth_grants_expires_at_idx on oauth_grants (expires_at);
create index oauth_grants_site_id_idx on oauth_grants (site_id, expires_at);
create index oauth_grants_member_id_idx on oauth_grants (member_id);
