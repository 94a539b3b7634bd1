-- Up Migration

create table organisations (
  id uuid primary key,
  name text not null,
  plan text not null,
  credit_balance bigint not null default 0,
  agent_access boolean not null default true,
  created_at timestamptz(3) not null,
  constraint organisations_plan_check check (plan in ('free', 'pro')),
  constraint organisations_credit_balance_check check (credit_balance >= 0)
);

create table members (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  email text not null,
  role text not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  constraint members_role_check check (role in ('owner', 'admin', 'editor', 'author', 'viewer'))
);

create unique index members_organisation_email_key on members (organisation_id, lower(email)) where removed_at is null;

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
  constraint sites_spend_cap_check check (spend_cap >= 0)
);

create index sites_organisation_id_idx on sites (organisation_id);

-- One row for the platform (site_id null), one for each Site under maintenance (docs/spec/rulings.md, 11).
create table maintenance (
  site_id uuid references sites (id),
  retry_after integer not null,
  started_at timestamptz(3) not null,
  constraint maintenance_site_id_key unique nulls not distinct (site_id),
  constraint maintenance_retry_after_check check (retry_after > 0)
);
