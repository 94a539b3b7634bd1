-- Up Migration

-- Argon2id; null for who has never been given one, and cannot sign in.
alter table members add column password_hash text;

create index members_email_idx on members (lower(email)) where removed_at is null and password_hash is not null;

-- Who is signed in with a browser. Only hashes of tokens.
create table sessions (
  token_hash bytea,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  constraint sessions_pkey primary key (token_hash),
  constraint sessions_token_hash_check check (octet_length(token_hash) = 32)
);

create index sessions_last_used_at_idx on sessions (last_used_at);

-- The memberships a session stands for: one person may belong to several organisations by one address.
create table session_members (
  token_hash bytea not null,
  member_id uuid not null,
  constraint session_members_pkey primary key (token_hash, member_id),
  constraint session_members_token_hash_fkey foreign key (token_hash) references sessions (token_hash) on delete cascade,
  constraint session_members_member_id_fkey foreign key (member_id) references members (id)
);

create index session_members_member_id_idx on session_members (member_id);
