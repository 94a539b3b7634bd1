-- Up Migration

-- The events that there are now are not counted, so their deletion is not either: within 30 days all of them have gone,
-- and no table had to be read. The two defaults make it so without a change of any row.
alter table events add column counted boolean not null default false;
alter table events alter column counted set default true;

create function note_event_recorded() returns trigger language plpgsql as $$
begin
  insert into event_byte_changes (site_id, bytes) values (new.site_id, octet_length(new.body));
  return null;
end $$;

-- One row for each Site and statement: housekeeping deletes in batches.
create function note_events_deleted() returns trigger language plpgsql as $$
begin
  insert into event_byte_changes (site_id, bytes)
  select site_id, -sum(octet_length(body)) from gone where counted group by site_id;
  return null;
end $$;

create function note_events_rewritten() returns trigger language plpgsql as $$
begin
  insert into event_byte_changes (site_id, bytes)
  select site_id, sum(bytes) from (
    select site_id, octet_length(body) as bytes from rewritten where counted
    union all
    select site_id, -octet_length(body) from gone where counted
  ) moved group by site_id having sum(bytes) <> 0;
  return null;
end $$;

create trigger events_recorded after insert on events
  for each row execute function note_event_recorded();
create trigger events_deleted after delete on events referencing old table as gone
  for each statement execute function note_events_deleted();
create trigger events_rewritten after update on events referencing old table as gone new table as rewritten
  for each statement execute function note_events_rewritten();
