-- Up Migration

-- Tries of a prompt that have been charged and are not done yet. One whose process was lost is refunded.
create table prompt_tries (
  id uuid constraint prompt_tries_pkey primary key,
  site_id uuid not null references sites (id),
  stage text not null,
  created_at timestamptz(3) not null
);

create index prompt_tries_site_id_idx on prompt_tries (site_id);

-- Of a try, which has neither a run nor an article.
alter table credit_ledger add column try_id uuid;
-- The rows satisfied a stricter check, so validating the new one finds nothing.
alter table credit_ledger drop constraint credit_ledger_kind_check;
alter table credit_ledger add constraint credit_ledger_kind_check check (
  (kind = 'grant' and amount > 0 and site_id is null and payment_id is null)
  or (
    ((kind = 'purchase' and amount > 0) or (kind in ('refund_out', 'dispute') and amount <> 0))
    and payment_id is not null
    and num_nonnulls(site_id, run_id, article_id, stage, scan_id, scan_unit, try_id) = 0
  )
  or (
    ((kind = 'charge' and amount < 0) or (kind = 'refund' and amount > 0))
    and site_id is not null and payment_id is null
    and (
      (num_nulls(run_id, article_id, stage) = 0 and num_nonnulls(scan_id, scan_unit, try_id) = 0)
      or (num_nonnulls(run_id, article_id, stage, try_id) = 0 and num_nulls(scan_id, scan_unit) = 0)
      or (num_nonnulls(run_id, article_id, scan_id, scan_unit) = 0 and num_nulls(try_id, stage) = 0)
    )
  )
) not valid;
