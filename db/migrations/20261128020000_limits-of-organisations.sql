-- Up Migration

-- What the limits of an organisation and of its Sites are multiplied by. An operator sets it.
alter table organisations add column limits integer not null default 1;
