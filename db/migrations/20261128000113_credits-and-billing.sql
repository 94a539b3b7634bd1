-- Up Migration

-- Every change of an organisation's balance; rows are added, and never changed.
create table credit_ledger (
  id uuid primary key,
  -- No foreign keys: the ledger is kept after its Site and its organisation, by ids alone.
  organisation_id uuid not null,
  -- The Site that spent them; null for a grant.
  site_id uuid,
  kind text not null,
  -- What the balance went up by; below zero for a charge.
  amount bigint not null,
  -- Of the organisation, afterwards.
  balance bigint not null,
  run_id uuid,
  article_id uuid,
  stage text,
  created_at timestamptz(3) not null,
  -- Of a unit of a scan; a stage of a run has none of them.
  scan_id uuid,
  scan_unit integer,
  -- Of a movement of money, under the id that the payment provider gave it.
  payment_id text,
  -- A stage is charged and refunded once, however often it is tried.
  constraint credit_ledger_unit_key unique (run_id, article_id, stage, kind),
  constraint credit_ledger_kind_check check (
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
  )
);

create index credit_ledger_site_id_idx on credit_ledger (site_id, created_at, id) where site_id is not null;
create index credit_ledger_organisation_id_idx on credit_ledger (organisation_id, created_at, id) where site_id is null;
-- The same for a unit of a scan.
create unique index credit_ledger_scan_unit_key on credit_ledger (scan_id, scan_unit, kind) where scan_id is not null;
-- A purchase is granted once, whatever the order and repetition of events.
create unique index credit_ledger_purchase_key on credit_ledger (payment_id) where kind = 'purchase';
create index credit_ledger_payment_id_idx on credit_ledger (payment_id) where payment_id is not null;

-- What an organisation has at the payment provider, and its automatic purchases.
create table billing_accounts (
  organisation_id uuid constraint billing_accounts_pkey primary key references organisations (id),
  customer_id text constraint billing_accounts_customer_id_key unique,
  top_up_enabled boolean not null default false,
  top_up_below bigint,
  top_up_pack text,
  -- Packs in a calendar month, in UTC.
  top_up_monthly_limit integer,
  -- When it was switched on last; declined cards before that do not count.
  top_up_since timestamptz(3),
  created_at timestamptz(3) not null,
  constraint billing_accounts_top_up_check check (
    not top_up_enabled or num_nulls(top_up_below, top_up_pack, top_up_monthly_limit, top_up_since) = 0
  )
);

-- The purchase of a pack, from the order on.
create table billing_payments (
  id uuid constraint billing_payments_pkey primary key,
  organisation_id uuid not null constraint billing_payments_organisation_id_fkey references organisations (id),
  cause text not null constraint billing_payments_cause_check check (cause in ('checkout', 'top_up')),
  pack text not null,
  quantity integer not null,
  status text not null constraint billing_payments_status_check check (status in ('open', 'paid', 'failed')),
  -- Why no money came, in a word of the provider.
  failure text,
  -- What it is sold for: fixed before the provider is asked for the money.
  credits bigint,
  amount bigint,
  currency text,
  payment_method_id text,
  session_id text constraint billing_payments_session_id_key unique,
  intent_id text constraint billing_payments_intent_id_key unique,
  -- What the provider said last: paid, refunded, disputed.
  seen jsonb not null,
  version integer not null default 0,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint billing_payments_terms_check check (
    num_nulls(credits, amount, currency) in (0, 3) and (cause = 'top_up' or credits is not null)
  )
);

create index billing_payments_organisation_id_idx on billing_payments (organisation_id, created_at);
-- One automatic purchase at a time, whoever asks.
create unique index billing_payments_top_up_open_key on billing_payments (organisation_id)
  where cause = 'top_up' and status = 'open';
create index billing_payments_top_ups_open_idx on billing_payments (created_at) where cause = 'top_up' and status = 'open';

create table billing_subscriptions (
  id text constraint billing_subscriptions_pkey primary key,
  organisation_id uuid not null constraint billing_subscriptions_organisation_id_fkey references organisations (id),
  plan text not null,
  status text not null,
  current_period_end timestamptz(3) not null,
  cancel_at_period_end boolean not null,
  -- Whether it gives the organisation its plan.
  entitled boolean not null,
  -- From a failed renewal until it is paid.
  past_due_since timestamptz(3),
  -- Of the newest event that told of it.
  told_at timestamptz(3) not null,
  version integer not null default 0,
  created_at timestamptz(3) not null
);

create index billing_subscriptions_organisation_id_idx on billing_subscriptions (organisation_id);
create index billing_subscriptions_past_due_since_idx on billing_subscriptions (past_due_since)
  where entitled and past_due_since is not null;

-- Events of the provider, each once: ids, states and amounts, and nothing of a card or a person.
create table billing_events (
  id text constraint billing_events_pkey primary key,
  type text not null,
  facts jsonb,
  created_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  handled_at timestamptz(3)
);

create index billing_events_unhandled_idx on billing_events (received_at) where handled_at is null;
-- What the events of a payment told, should the provider not show it.
create index billing_events_intent_id_idx on billing_events ((facts ->> 'intentId')) where facts ->> 'intentId' is not null;
create index billing_events_handled_at_idx on billing_events (handled_at) where handled_at is not null;

-- The days that were counted, so that each is counted once.
create table overage_counts (
  day date constraint overage_counts_pkey primary key,
  counted_at timestamptz(3) not null
);

-- What organisations kept beyond the included storage, on each day on which they did.
create table overage_days (
  organisation_id uuid not null constraint overage_days_organisation_id_fkey references organisations (id),
  day date not null,
  documents bigint not null,
  media_bytes bigint not null,
  constraint overage_days_pkey primary key (organisation_id, day)
);

create index overage_days_day_idx on overage_days (day);

-- What was invoiced for a month; month is its first day.
create table overage_invoices (
  organisation_id uuid not null constraint overage_invoices_organisation_id_fkey references organisations (id),
  month date not null,
  amount bigint not null,
  currency text not null,
  -- null until the provider has it; there is none for an amount of 0.
  item_id text,
  created_at timestamptz(3) not null,
  invoiced_at timestamptz(3),
  -- When the provider refused to invoice a month last, so that one customer does not keep the others from theirs.
  refused_at timestamptz(3),
  constraint overage_invoices_pkey primary key (organisation_id, month)
);

create function refuse_change_of_kept_rows() returns trigger language plpgsql as $$
begin
  raise exception '% takes new rows only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

-- As for the audit log: also where everything runs under one role, a balance can be told from its ledger.
create trigger credit_ledger_append_only before update or delete or truncate on credit_ledger
  for each statement execute function refuse_change_of_kept_rows();
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
