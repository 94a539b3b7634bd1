-- Up Migration

-- When the provider refused to invoice a month last, so that one customer does not keep the others from theirs.
alter table overage_invoices add column refused_at timestamptz(3);
