-- Up Migration

-- What an agent's key asked a person to approve (docs/spec/rulings.md, 11). Bound to the key, the request and the
-- version of its target; used once, in the transaction of the operation it allows.
create table approvals (
  id uuid primary key,
  site_id uuid not null references sites (id),
  key_id uuid not null references api_keys (id),
  status text not null default 'pending',
  action text not null,
  method text not null,
  path text not null,
  -- What was sent, for the person who decides, and its hash. Forgotten once nothing is left to decide or do: it may
  -- hold a reader's address.
  body jsonb,
  body_hash bytea,
  -- null where the request has no target.
  target_version text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  decided_by_key_id uuid references api_keys (id),
  used_at timestamptz(3),
  constraint approvals_status_check check (status in ('pending', 'approved', 'denied', 'expired', 'used')),
  constraint approvals_decided_check check ((decided_at is null) = (decided_by_key_id is null)),
  constraint approvals_decided_status_check check (
    case status
      when 'pending' then decided_at is null
      when 'expired' then true
      else decided_at is not null
    end
  ),
  constraint approvals_used_check check ((status = 'used') = (used_at is not null)),
  constraint approvals_body_check check ((status in ('pending', 'approved')) = (body_hash is not null) and (body is null or body_hash is not null))
);

create index approvals_site_id_idx on approvals (site_id, id);
create index approvals_open_idx on approvals (expires_at) where status in ('pending', 'approved');
