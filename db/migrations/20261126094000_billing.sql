-- Up Migration

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
  constraint overage_invoices_pkey primary key (organisation_id, month)
);

-- A refund or a dispute takes credits that may have been spent. Charges go on requiring that they are there.
alter table organisations drop constraint organisations_credit_balance_check;
