-- Up Migration, without a transaction

-- Receipts stay for good; metrics ask for the deletions that have not finished.
drop index concurrently if exists deletions_unfinished_idx;
create index concurrently deletions_unfinished_idx on deletions (asked_at) where finished_at is null;
