-- Up Migration

-- What the product tells its people: one row for each person who is told.
create table notifications (
  id uuid primary key,
  member_id uuid not null references members (id),
  -- null for what concerns the person, or the organisation as a whole.
  site_id uuid references sites (id),
  kind text not null,
  -- What its text names. Never a secret, a name of a person or anything that a reader wrote.
  details jsonb not null default '{}',
  target_type text,
  target_id uuid,
  created_at timestamptz(3) not null,
  read_at timestamptz(3)
);

create index notifications_member_id_idx on notifications (member_id, created_at, id);
create index notifications_unread_idx on notifications (member_id, created_at, id) where read_at is null;
create index notifications_site_id_idx on notifications (site_id);
-- Housekeeping deletes them by their age.
create index notifications_created_at_idx on notifications (created_at);

-- A person keeps the newest thousand. Rows that somebody else deletes at the moment are left to them.
create function keep_newest_notifications() returns trigger language plpgsql as $$
begin
  delete from notifications where id in (
    select n.id from notifications n
    where n.id in (
      select o.id from (select distinct member_id from told) t cross join lateral (
        select id from notifications where member_id = t.member_id order by created_at desc, id desc offset 1000
      ) o
    )
    order by n.id for update skip locked
  );
  return null;
end
$$;

create trigger notifications_newest after insert on notifications referencing new table as told
  for each statement execute function keep_newest_notifications();

-- How a person is told: whether by mail and how often, what they do not want to get, and the language of the last session.
alter table members add column mail boolean not null default true;
alter table members add column mail_digest text not null default 'immediate';
alter table members add column muted_kinds text[] not null default '{}';
alter table members add column language text not null default 'en';
alter table members add constraint members_mail_digest_check
  check (mail_digest in ('immediate', 'hourly', 'daily')) not valid;
alter table members add constraint members_language_check check (language in ('en', 'de')) not valid;
