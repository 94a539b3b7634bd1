-- Up Migration

alter table api_keys add column drafts_only boolean not null default false;
-- Every row has the default, so validating this finds nothing.
alter table api_keys add constraint api_keys_drafts_only_check check (kind = 'secret' or not drafts_only) not valid;
alter table device_authorizations add column drafts_only boolean not null default false;
alter table oauth_grants add column drafts_only boolean not null default false;
-- The key that uploaded the image; null if that was before this column.
alter table media_assets add column uploaded_by uuid;
