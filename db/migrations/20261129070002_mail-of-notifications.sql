-- Up Migration

-- When it is to be mailed; null if it is not, or not any more.
alter table notifications add column mail_due_at timestamptz(3);
-- The mail that it is in: the id of the first that is in it. It stays the same, however often the mail is tried.
alter table notifications add column mail_id uuid;
alter table notifications add column mail_attempts integer not null default 0;
alter table notifications add column mailed_at timestamptz(3);
-- Why the last attempt failed.
alter table notifications add column mail_error text;
