-- Up Migration

-- What of its target the person who decides is shown, as it was when the agent asked.
alter table approvals add column target jsonb;
