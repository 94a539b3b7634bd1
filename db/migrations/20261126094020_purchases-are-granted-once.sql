-- Up Migration, without a transaction

alter table credit_ledger validate constraint credit_ledger_kind_check;

-- Whatever the order and repetition of events.
drop index concurrently if exists credit_ledger_purchase_key;
create unique index concurrently credit_ledger_purchase_key on credit_ledger (payment_id) where kind = 'purchase';

drop index concurrently if exists credit_ledger_payment_id_idx;
create index concurrently credit_ledger_payment_id_idx on credit_ledger (payment_id) where payment_id is not null;
