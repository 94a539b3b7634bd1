-- Up Migration

-- Where a request came from, for the limit of those that are open. Requests of the version before have none.
alter table device_authorizations add column client_network text;
alter table oauth_grants add column client_network text;
