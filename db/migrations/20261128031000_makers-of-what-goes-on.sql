-- Up Migration

-- The key that began it; null for what the service does by itself, and for what is older than this. What becomes of the
-- key ends it. No foreign keys: deleted keys of the dashboard leave what they began behind.
alter table pipeline_runs add column key_id uuid;
alter table seo_scans add column key_id uuid;
alter table cms_pushes add column key_id uuid;
alter table preview_links add column key_id uuid;
