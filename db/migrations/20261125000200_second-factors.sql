-- Up Migration

-- The second factor of a member (RFC 6238). The secret is sealed for the member; it counts once it is confirmed.
create table second_factors (
  member_id uuid,
  secret bytea not null,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  -- The time step of the last code that was accepted: none works twice.
  last_step bigint not null default 0,
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
  constraint one_time_links_pkey primary key (member_id, purpose),
  constraint one_time_links_token_hash_key unique (token_hash),
  constraint one_time_links_member_id_fkey foreign key (member_id) references members (id),
  constraint one_time_links_purpose_check check (purpose in ('password', 'sign_in')),
  constraint one_time_links_token_hash_check check (octet_length(token_hash) = 32)
);

create index one_time_links_expires_at_idx on one_time_links (expires_at);
