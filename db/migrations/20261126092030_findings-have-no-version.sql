-- Up Migration

-- Nothing has ever read it: findings have no ETag.
-- squawk-ignore ban-drop-column
alter table seo_findings drop column version;
