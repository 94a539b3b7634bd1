-- Up Migration

create table organisations (
  id uuid primary key,
  name text not null,
  plan text not null,
  -- May fall below zero: a refund or a dispute takes credits that may have been spent. Charges require that they are there.
  credit_balance bigint not null default 0,
  agent_access boolean not null default true,
  created_at timestamptz(3) not null,
  -- Which operations an agent's key calls with a person's approval; null for those that the product names
  -- (docs/spec/rulings.md, 11).
  approval_operations text[],
  -- Of name, agent access and approval-gated operations, for ETag and If-Match.
  version integer not null default 1,
  -- From then on the organisation gets no Sites and no members.
  deleting_since timestamptz(3),
  -- What the limits of an organisation and of its Sites are multiplied by. An operator sets it.
  limits integer not null default 1,
  -- The gates that there were when an organisation chose its list: one that came later is in force until a person takes
  -- it out.
  approval_operations_offered text[] not null default '{}',
  constraint organisations_plan_check check (plan in ('free', 'pro'))
);

create table members (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  email text not null,
  role text not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  -- Of role and password, for ETag and If-Match.
  version integer not null default 1,
  -- Argon2id; null for who has never been given one, and cannot sign in.
  password_hash text,
  -- When the personal data of the member was erased.
  erased_at timestamptz(3),
  -- When another password of the member was last replaced without it, by a link or the operator.
  password_reset_at timestamptz(3),
  constraint members_role_check check (role in ('owner', 'admin', 'editor', 'author', 'viewer'))
);

create unique index members_organisation_email_key on members (organisation_id, lower(email)) where removed_at is null;
-- The team, oldest member first.
create index members_team_idx on members (organisation_id, id) where removed_at is null;
-- Who signs in is found by the address as it is counted: only Latin letters lose their case.
create index members_folded_email_idx on members (lower(email collate "C"))
  where removed_at is null and password_hash is not null;
-- A failed sign-in is recorded for everyone with the address, also for those without a password.
create index members_address_idx on members (lower(email collate "C")) where removed_at is null;

create table sites (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  name text not null,
  domain text not null,
  locale text not null,
  timezone text not null,
  spend_cap bigint,
  -- Authenticates the Site's list cursors; worth nothing outside this database.
  cursor_key bytea not null default uuid_send(gen_random_uuid()),
  created_at timestamptz(3) not null,
  -- Whether the bytes of a Site's events have reached the ceiling: read with each request's key.
  events_full boolean not null default false,
  -- From then on the keys of the Site are refused.
  deleting_since timestamptz(3),
  -- A template for the addresses of preview links, with {token} and perhaps {slug}; null for the page of the service.
  preview_url text,
  -- The paths of a blog's pages, each with {slug} once, below https://<domain>.
  url_paths jsonb not null
    default '{"article": "/{slug}", "category": "/category/{slug}", "tag": "/tag/{slug}", "author": "/author/{slug}"}',
  -- What feeds show of an article: full or excerpt.
  feed_content text not null default 'excerpt',
  -- The entity tag of the settings.
  version integer not null default 1,
  constraint sites_spend_cap_check check (spend_cap >= 0)
);

create index sites_organisation_id_idx on sites (organisation_id);
create unique index sites_public_folder_key on sites (left(encode(sha256(('media/' || id::text)::bytea), 'hex'), 32));

-- One row for the platform (site_id null), one for each Site under maintenance (docs/spec/rulings.md, 11).
create table maintenance (
  site_id uuid references sites (id),
  retry_after integer not null,
  started_at timestamptz(3) not null,
  constraint maintenance_site_id_key unique nulls not distinct (site_id),
  constraint maintenance_retry_after_check check (retry_after > 0)
);

-- Deletions of Sites and organisations: what was asked for, how far it is, and, when it has finished, the receipt.
create table deletions (
  -- The Site or the organisation. A second request for it is the same deletion.
  target_id uuid primary key,
  kind text not null,
  -- The organisation itself, or that of the Site.
  organisation_id uuid not null,
  asked_at timestamptz(3) not null,
  -- The operator who asked.
  asked_by text not null,
  -- Nothing that began before the request can leave anything behind after this time.
  quiet_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- How many rows by table, and how many objects and workflows.
  deleted jsonb not null default '{}',
  constraint deletions_kind_check check (kind in ('site', 'organisation'))
);

create index deletions_organisation_id_idx on deletions (organisation_id);
-- Receipts stay for good; metrics ask for the deletions that have not finished.
create index deletions_unfinished_idx on deletions (asked_at) where finished_at is null;

-- Something sealed with ENCRYPTION_KEY, by which every process that starts sees whether it has the same key. There is one.
create table encryption_canary (
  id boolean primary key default true,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  constraint encryption_canary_id_check check (id)
);

-- Rows that the application otherwise keeps are deleted only with their Site or organisation: for every role, the owner
-- included.
create function keep_row_of_site() returns trigger language plpgsql as $$
begin
  if exists (select from deletions where target_id = old.site_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create function keep_row_of_organisation() returns trigger language plpgsql as $$
begin
  if exists (select from deletions where target_id = old.organisation_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their organisation', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;

create function keep_site_or_organisation() returns trigger language plpgsql as $$
begin
  if exists (select from deletions where target_id = old.id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only on request', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create trigger sites_kept before delete on sites for each row execute function keep_site_or_organisation();
create trigger organisations_kept before delete on organisations
  for each row execute function keep_site_or_organisation();
create trigger members_kept before delete on members for each row execute function keep_row_of_organisation();
