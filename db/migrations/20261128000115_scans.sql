-- Up Migration

-- Scans of a Site for faults, which are paid by the unit.
create table seo_scans (
  id uuid primary key,
  site_id uuid not null references sites (id),
  kind text not null,
  status text not null,
  reason text,
  -- The members of the request that say what is looked at.
  parameters jsonb not null,
  -- The scan whose rest this one takes.
  resumed_from uuid,
  -- Where planning goes on; null once every target is written.
  plan_position text,
  planned boolean not null default false,
  -- Targets that are still to be examined.
  targets_left integer not null default 0,
  -- At most so many targets count, such as the pages of a crawl; null for any number.
  most_counted integer,
  counted integer not null default 0,
  -- Units that have been charged, done or not, refunded or not.
  units_opened integer not null default 0,
  units_done integer not null default 0,
  units_total integer,
  -- What counts in the unit that has been charged and is not done; null without such a unit.
  open_unit_counted integer,
  -- Attempts at the open unit that have not ended in order.
  attempts_open integer not null default 0,
  credits_spent bigint not null default 0,
  found_error integer not null default 0,
  found_warning integer not null default 0,
  found_notice integer not null default 0,
  -- A running scan ends at its next boundary once this is set.
  cancel_requested_at timestamptz(3),
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  -- When its workflow was seen last.
  active_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- How many targets it has, so that its ceiling costs no count of them.
  targets integer not null default 0,
  -- The key that began it; null for what the service does by itself. What becomes of the key ends it. No foreign key: deleted
  -- keys of the dashboard leave what they began behind.
  key_id uuid,
  -- A scan is resumed once; its rest goes on in the other one.
  constraint seo_scans_resumed_from_key unique (resumed_from),
  constraint seo_scans_resumed_from_fkey foreign key (resumed_from) references seo_scans (id) on delete set null,
  constraint seo_scans_kind_check check (
    kind in (
      'site-crawl', 'on-page', 'structured-data', 'outbound-links', 'backlinks', 'internal-links', 'keyword-overlap'
    )
  ),
  constraint seo_scans_status_check check (
    status in ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')
  ),
  constraint seo_scans_reason_check check (
    reason in ('insufficient_credits', 'spend_cap_reached', 'cancelled', 'provider_unavailable')
  ),
  constraint seo_scans_finished_check check ((finished_at is null) = (status in ('queued', 'running'))),
  constraint seo_scans_open_unit_check check (finished_at is null or open_unit_counted is null)
);

create index seo_scans_site_id_idx on seo_scans (site_id, id);
create index seo_scans_active_at_idx on seo_scans (active_at) where finished_at is null;
create index seo_scans_finished_at_idx on seo_scans (finished_at) where finished_at is not null;

-- What a scan looks at, in its order. A crawl adds to it while it runs.
create table seo_scan_targets (
  scan_id uuid not null references seo_scans (id) on delete cascade,
  position bigint generated always as identity,
  -- SHA-256 of the key, which its kind chooses: no other target of the scan has it.
  fingerprint text not null,
  key text not null,
  url text,
  -- The article may be deleted.
  article_id uuid,
  -- `noted`: not to be examined, only known. `earlier`: examined by the scan that this one resumes.
  state text not null constraint seo_scan_targets_state_check check (state in ('waiting', 'done', 'noted', 'earlier')),
  -- What its kind remembers of it.
  memo jsonb not null,
  constraint seo_scan_targets_pkey primary key (scan_id, position),
  constraint seo_scan_targets_fingerprint_key unique (scan_id, fingerprint)
);

create index seo_scan_targets_waiting_idx on seo_scan_targets (scan_id, position) where state = 'waiting';

-- Faults of a Site, each of which stays the same row however often it is found.
create table seo_findings (
  id uuid primary key,
  site_id uuid not null references sites (id),
  kind text not null,
  rule text not null,
  severity text not null constraint seo_findings_severity_check check (severity in ('error', 'warning', 'notice')),
  -- SHA-256 of the fault's key, which its kind chooses.
  fingerprint text not null,
  -- SHA-256 of what it is a fault of. A scan that looks at that, and does not find the fault, marks it as fixed.
  subject text not null,
  status text not null constraint seo_findings_status_check check (status in ('open', 'dismissed', 'fixed')),
  url text,
  -- The article may be deleted.
  article_id uuid,
  evidence jsonb not null,
  -- The scan that found it last.
  scan_id uuid not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  fixed_at timestamptz(3),
  constraint seo_findings_fault_key unique (site_id, kind, rule, fingerprint),
  constraint seo_findings_fixed_at_check check ((fixed_at is not null) = (status = 'fixed'))
);

create index seo_findings_site_id_idx on seo_findings (site_id, id);
create index seo_findings_subject_idx on seo_findings (site_id, kind, subject) where status = 'open';
create index seo_findings_article_id_idx on seo_findings (site_id, article_id, id) where article_id is not null;

-- Links from other sites to a Site, as the tools that watch the web report them.
create table backlinks (
  id uuid primary key,
  site_id uuid not null references sites (id),
  -- A digest of both addresses: they are too long for an index.
  link_key uuid not null,
  source_url text not null,
  target_url text not null,
  -- The host of the source from its end, as in `org.example.blog.`, so that a domain and its subdomains are a range.
  reversed_host text collate "C" not null,
  -- Null if no file has told.
  anchor text,
  rel text[],
  -- The article at the target when the link was last imported. It may have been deleted since.
  article_id uuid,
  status text not null constraint backlinks_status_check check (status in ('unknown', 'live', 'lost')),
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  checked_at timestamptz(3),
  constraint backlinks_link_key unique (site_id, link_key)
)
-- A file that is imported again changes every row of it: the new row finds room on its page, and no index changes.
with (fillfactor = 70);

create index backlinks_site_id_idx on backlinks (site_id, id);
create index backlinks_reversed_host_idx on backlinks (site_id, reversed_host);
create index backlinks_article_id_idx on backlinks (article_id, id);

-- When scans may next send a request to a host: its requests take turns, whichever worker sends them.
create table scan_host_turns (
  host text primary key,
  next_at timestamptz(3) not null,
  -- When the last request to the host was really sent: a process may be late for its turn.
  sent_at timestamptz
);

create index scan_host_turns_next_at_idx on scan_host_turns (next_at);
