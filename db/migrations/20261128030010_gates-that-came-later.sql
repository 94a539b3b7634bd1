-- Up Migration

-- The list in force becomes longer for every organisation. A screen that was opened before must not save the shorter
-- one. Few rows.
with every as (select id from organisations)
update organisations o set version = o.version + 1 from every where every.id = o.id;
