-- Up Migration

-- What was sold and invoiced is deleted only with its organisation, for every role.
create trigger billing_accounts_kept before delete on billing_accounts
  for each row execute function keep_row_of_organisation();
create trigger billing_payments_kept before delete on billing_payments
  for each row execute function keep_row_of_organisation();
create trigger billing_subscriptions_kept before delete on billing_subscriptions
  for each row execute function keep_row_of_organisation();
create trigger overage_days_kept before delete on overage_days
  for each row execute function keep_row_of_organisation();
create trigger overage_invoices_kept before delete on overage_invoices
  for each row execute function keep_row_of_organisation();
