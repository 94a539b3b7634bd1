-- Up Migration

-- As for articles: each Site has words of its own.
alter index media_assets_keys_idx alter column 1 set statistics 0;
