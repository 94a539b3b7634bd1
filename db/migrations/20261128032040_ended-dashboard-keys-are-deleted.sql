-- Up Migration

-- Keys of the dashboard come and go with sessions: those that have ended are deleted, with their secrets. All others are
-- kept as long as their Site.
create function keep_key() returns trigger language plpgsql as $$
begin
  if old.session_id is not null or exists (select from deletions where target_id = old.site_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create or replace function keep_secret_of_key() returns trigger language plpgsql as $$
begin
  if exists (
    select from api_keys k where k.id = old.key_id
      and (k.session_id is not null or exists (select from deletions d where d.target_id = k.site_id))
  ) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create or replace trigger api_keys_kept before delete on api_keys for each row execute function keep_key();
