-- Up Migration

-- An erased member loses the addresses that they signed in from, too, with their name and those of their keys and
-- devices. Everything else of a row stays.
create or replace function refuse_audit_log_update() returns trigger language plpgsql as $$
begin
  if new.actor_name in (old.actor_name, 'erased')
    and new.details in (old.details, old.details - 'client_name', old.details - '{client_name,client_address}'::text[])
    and (to_jsonb(new) - '{actor_name,details}'::text[]) = (to_jsonb(old) - '{actor_name,details}'::text[])
    and exists (
      select from members m where m.erased_at is not null and (
        m.id = old.actor_id or m.id = (select k.member_id from api_keys k where k.id = old.actor_id)
      )
    )
  then
    return new;
  end if;
  raise exception 'audit_log takes new rows only' using errcode = 'insufficient_privilege';
end
$$;
