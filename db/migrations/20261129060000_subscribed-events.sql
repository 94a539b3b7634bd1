-- Up Migration

-- The events and patterns of a Site's enabled endpoints: read with each request's key, so that a write whose event
-- nobody subscribes to costs nothing. Only events that the first release does not have look here, so it begins empty.
alter table sites add column subscribed_events text[] not null default '{}';

create function note_subscribed_events() returns trigger language plpgsql as $$
declare
  site uuid := coalesce(new.site_id, old.site_id);
begin
  -- A statement of its own: changes of two endpoints take turns, and the second sees what the first has committed.
  perform from sites where id = site for no key update;
  with n as (
    select array(
      select distinct e from webhook_endpoints w cross join unnest(w.events) e
      where w.site_id = site and w.enabled order by e
    ) as events
  )
  update sites s set subscribed_events = n.events from n where s.id = site and s.subscribed_events <> n.events;
  return null;
end $$;

create trigger webhook_endpoints_subscribed after insert or delete or update of events, enabled on webhook_endpoints
  for each row execute function note_subscribed_events();
