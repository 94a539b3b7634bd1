-- Up Migration

-- Of role and password, for ETag and If-Match.
alter table members add column version integer not null default 1;

-- The team, oldest member first.
create index members_team_idx on members (organisation_id, id) where removed_at is null;
