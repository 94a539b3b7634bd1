-- Up Migration, without a transaction

-- A try is charged and refunded once.
drop index concurrently if exists credit_ledger_try_key;
create unique index concurrently credit_ledger_try_key on credit_ledger (try_id, kind) where try_id is not null;
alter table credit_ledger validate constraint credit_ledger_kind_check;
