-- Up Migration

-- Of a unit of a scan; a stage of a run has none of them.
alter table credit_ledger add column scan_id uuid;
alter table credit_ledger add column scan_unit integer;
-- Of a movement of money, under the id that the payment provider gave it.
alter table credit_ledger add column payment_id text;

alter table credit_ledger
  drop constraint credit_ledger_kind_check,
  add constraint credit_ledger_kind_check check (
    (kind = 'grant' and amount > 0 and site_id is null)
    or (
      ((kind = 'charge' and amount < 0) or (kind = 'refund' and amount > 0))
      and site_id is not null
      and (
        (num_nulls(run_id, article_id, stage) = 0 and num_nonnulls(scan_id, scan_unit) = 0)
        or (num_nonnulls(run_id, article_id, stage) = 0 and num_nulls(scan_id, scan_unit) = 0)
      )
    )
  ) not valid;
