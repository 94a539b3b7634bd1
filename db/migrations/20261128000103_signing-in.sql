-- Up Migration

-- Who is signed in with a browser. Only hashes of tokens.
create table sessions (
  token_hash bytea,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  -- What a person sees of a session.
  id uuid not null,
  -- The User-Agent of its sign-in, cut.
  browser text,
  -- When its person last proved again who they are; null if only at the sign-in.
  proved_at timestamptz(3),
  constraint sessions_pkey primary key (token_hash),
  constraint sessions_token_hash_check check (octet_length(token_hash) = 32)
);

create index sessions_last_used_at_idx on sessions (last_used_at);
create unique index sessions_id_key on sessions (id);

-- The memberships a session stands for: one person may belong to several organisations by one address.
create table session_members (
  token_hash bytea not null,
  member_id uuid not null,
  constraint session_members_pkey primary key (token_hash, member_id),
  constraint session_members_token_hash_fkey foreign key (token_hash) references sessions (token_hash) on delete cascade,
  constraint session_members_member_id_fkey foreign key (member_id) references members (id)
);

create index session_members_member_id_idx on session_members (member_id);

-- The second factor of a member (RFC 6238). The secret is sealed for the member; it counts once it is confirmed.
create table second_factors (
  member_id uuid,
  secret bytea not null,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  -- The time step of the last code that was accepted: none works twice.
  last_step bigint not null default 0,
  -- Wrong codes since the last right one, and when the last was typed.
  wrong_codes integer not null default 0,
  wrong_at timestamptz(3),
  constraint second_factors_pkey primary key (member_id),
  constraint second_factors_member_id_fkey foreign key (member_id) references members (id)
);

-- SHA-256 of codes for a lost second factor; each row is deleted by its use.
create table recovery_codes (
  member_id uuid,
  hash bytea,
  constraint recovery_codes_pkey primary key (member_id, hash),
  constraint recovery_codes_member_id_fkey foreign key (member_id) references second_factors (member_id) on delete cascade,
  constraint recovery_codes_hash_check check (octet_length(hash) = 32)
);

-- Whose password was right, and whose code of the second factor is awaited. Only hashes of tokens.
create table pending_sign_ins (
  token_hash bytea,
  member_id uuid,
  created_at timestamptz(3) not null,
  constraint pending_sign_ins_pkey primary key (token_hash, member_id),
  constraint pending_sign_ins_member_id_fkey foreign key (member_id) references members (id),
  constraint pending_sign_ins_token_hash_check check (octet_length(token_hash) = 32)
);

create index pending_sign_ins_member_id_idx on pending_sign_ins (member_id);
create index pending_sign_ins_created_at_idx on pending_sign_ins (created_at);

-- Links that work once: to set a password, or to sign in. A new one replaces the one before. Only hashes of tokens.
create table one_time_links (
  member_id uuid,
  purpose text,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  -- The member who made the link; null for the operator. What becomes of the maker ends the link.
  made_by uuid,
  constraint one_time_links_pkey primary key (member_id, purpose),
  constraint one_time_links_token_hash_key unique (token_hash),
  constraint one_time_links_member_id_fkey foreign key (member_id) references members (id),
  constraint one_time_links_purpose_check check (purpose in ('password', 'sign_in')),
  constraint one_time_links_token_hash_check check (octet_length(token_hash) = 32)
);

create index one_time_links_expires_at_idx on one_time_links (expires_at);
