-- Up Migration

-- Housekeeping deletes approvals that ended long ago.
create index approvals_ended_idx on approvals (expires_at) where status in ('denied', 'expired', 'used');
