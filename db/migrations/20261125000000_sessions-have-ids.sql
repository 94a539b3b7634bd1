-- Up Migration

-- The id is what a person sees of a session. Sessions that are older than this column get theirs at their next use.
alter table sessions add column id uuid;
-- The User-Agent of its sign-in, cut.
alter table sessions add column browser text;

-- The session that a key of the dashboard belongs to: it ends with it. Null for every other key.
alter table api_keys add column session_id uuid;
