-- Up Migration

-- A check for each deleted comment that no reply is left made a long thread too slow to delete. Every write of comments
-- locks the Site's row of site_comments first, so that a reply cannot come while its parent goes.
alter table comments drop constraint comments_parent_id_fkey;
