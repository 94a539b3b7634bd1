-- Up Migration

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

-- From then on the keys of the Site are refused.
alter table sites add column deleting_since timestamptz(3);
-- From then on the organisation gets no Sites and no members.
alter table organisations add column deleting_since timestamptz(3);
-- When the personal data of the member was erased.
alter table members add column erased_at timestamptz(3);

-- The ledger is kept after its Site and its organisation, by ids alone. The log of a Site is deleted before it.
alter table credit_ledger drop constraint credit_ledger_site_id_fkey;
alter table credit_ledger drop constraint credit_ledger_organisation_id_fkey;
