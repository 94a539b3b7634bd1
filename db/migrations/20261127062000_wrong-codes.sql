-- Up Migration

-- Wrong codes since the last right one, and when the last was typed.
alter table second_factors add column wrong_codes integer not null default 0, add column wrong_at timestamptz(3);
