-- Up Migration, without a transaction

-- The relay takes messages of one Site after the other.
drop index concurrently if exists outbox_site_idx;
create index concurrently outbox_site_idx on outbox ((coalesce(payload ->> 'siteId', '')), available_at, id);
