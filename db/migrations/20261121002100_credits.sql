-- Up Migration

-- What a Site used in a calendar month, in UTC; month is its first day.
create table site_months (
  site_id uuid not null references sites (id),
  month date not null,
  pipeline_runs bigint not null default 0,
  credits_spent bigint not null default 0,
  constraint site_months_pkey primary key (site_id, month)
);

-- Every change of an organisation's balance; rows are added, and never changed.
create table credit_ledger (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  -- The Site that spent them; null for a grant.
  site_id uuid references sites (id),
  kind text not null,
  -- What the balance went up by; below zero for a charge.
  amount bigint not null,
  -- Of the organisation, afterwards.
  balance bigint not null,
  run_id uuid,
  article_id uuid,
  stage text,
  created_at timestamptz(3) not null,
  -- A stage is charged once, however often it is tried.
  constraint credit_ledger_charge_key unique (run_id, article_id, stage),
  constraint credit_ledger_kind_check check (
    (kind = 'grant' and amount > 0 and site_id is null)
    or (kind = 'charge' and amount < 0 and num_nulls(site_id, run_id, article_id, stage) = 0)
  )
);

create index credit_ledger_site_id_idx on credit_ledger (site_id, created_at, id) where site_id is not null;
create index credit_ledger_organisation_id_idx on credit_ledger (organisation_id, created_at, id) where site_id is null;

-- Random ids, since PostgreSQL 17 has no uuidv7(). Rows are ordered by time, and an organisation gets one here.
insert into credit_ledger (id, organisation_id, kind, amount, balance, created_at)
select gen_random_uuid(), id, 'grant', credit_balance, credit_balance, created_at from organisations where credit_balance > 0;
