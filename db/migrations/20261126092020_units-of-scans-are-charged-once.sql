-- Up Migration, without a transaction

alter table credit_ledger validate constraint credit_ledger_kind_check;

-- However often a unit is tried.
drop index concurrently if exists credit_ledger_scan_unit_key;
create unique index concurrently credit_ledger_scan_unit_key on credit_ledger (scan_id, scan_unit, kind) where scan_id is not null;
