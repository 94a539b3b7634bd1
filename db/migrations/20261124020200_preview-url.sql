-- Up Migration

-- A template for the addresses of preview links, with {token} and perhaps {slug}; null for the page of the service.
alter table sites add column preview_url text;
