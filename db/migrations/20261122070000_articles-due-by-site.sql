-- Up Migration, without a transaction

-- What is due is published Site by Site.
drop index concurrently if exists articles_due_by_site_idx;
create index concurrently articles_due_by_site_idx on articles (site_id, scheduled_publish_at, id)
  where status = 'scheduled';
