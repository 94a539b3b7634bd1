-- Up Migration, without a transaction

-- Under the locale C, with which the embedded database is made, lower(name) leaves Ä before a: this collation folds every script.
drop index concurrently if exists categories_caseless_name_idx;
create index concurrently categories_caseless_name_idx on categories (site_id, lower(name collate "pg_c_utf8"), id);

drop index concurrently if exists tags_caseless_name_idx;
create index concurrently tags_caseless_name_idx on tags (site_id, lower(name collate "pg_c_utf8"), id);

drop index concurrently if exists authors_caseless_name_idx;
create index concurrently authors_caseless_name_idx on authors (site_id, lower(name collate "pg_c_utf8"), id);

-- Old code that still runs finds the terms of a Site by the new ones, and sorts them itself.
drop index concurrently if exists categories_alphabetical_idx;
drop index concurrently if exists tags_alphabetical_idx;
drop index concurrently if exists authors_alphabetical_idx;
