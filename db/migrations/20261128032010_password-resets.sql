-- Up Migration

-- When another password of the member was last replaced without it, by a link or the operator.
alter table members add column password_reset_at timestamptz(3);
