-- Up Migration

-- A purchase is a line for each payment. A refund or a dispute takes its credits, and gives them back if it comes to nothing.
alter table credit_ledger
  drop constraint credit_ledger_kind_check,
  add constraint credit_ledger_kind_check check (
    (kind = 'grant' and amount > 0 and site_id is null and payment_id is null)
    or (
      ((kind = 'purchase' and amount > 0) or (kind in ('refund_out', 'dispute') and amount <> 0))
      and payment_id is not null
      and num_nonnulls(site_id, run_id, article_id, stage, scan_id, scan_unit) = 0
    )
    or (
      ((kind = 'charge' and amount < 0) or (kind = 'refund' and amount > 0))
      and site_id is not null and payment_id is null
      and (
        (num_nulls(run_id, article_id, stage) = 0 and num_nonnulls(scan_id, scan_unit) = 0)
        or (num_nonnulls(run_id, article_id, stage) = 0 and num_nulls(scan_id, scan_unit) = 0)
      )
    )
  ) not valid;
