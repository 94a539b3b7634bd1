-- Up Migration

-- How many targets a scan has, so that its ceiling costs no count of them. A scan that runs already counts from here.
alter table seo_scans add column targets integer not null default 0;
