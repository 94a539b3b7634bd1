-- Up Migration

-- Rows that the application otherwise keeps are deleted only with their Site or organisation: for every role, the owner
-- included.
create function keep_row_of_site() returns trigger language plpgsql as $$
begin
  if exists (select from deletions where target_id = old.site_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create function keep_secret_of_key() returns trigger language plpgsql as $$
begin
  if exists (select from deletions d join api_keys k on k.site_id = d.target_id where k.id = old.key_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their Site', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create function keep_row_of_organisation() returns trigger language plpgsql as $$
begin
  if exists (select from deletions where target_id = old.organisation_id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only with their organisation', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;

create function keep_site_or_organisation() returns trigger language plpgsql as $$
begin
  if exists (select from deletions where target_id = old.id) then
    return old;
  end if;
  raise exception 'rows of % are deleted only on request', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create trigger sites_kept before delete on sites for each row execute function keep_site_or_organisation();
create trigger organisations_kept before delete on organisations
  for each row execute function keep_site_or_organisation();
create trigger members_kept before delete on members for each row execute function keep_row_of_organisation();
create trigger api_keys_kept before delete on api_keys for each row execute function keep_row_of_site();
create trigger api_key_secrets_kept before delete on api_key_secrets
  for each row execute function keep_secret_of_key();
create trigger content_types_kept before delete on content_types for each row execute function keep_row_of_site();
create trigger pipeline_runs_kept before delete on pipeline_runs for each row execute function keep_row_of_site();
create trigger pipeline_steps_kept before delete on pipeline_steps for each row execute function keep_row_of_site();
create trigger prompts_kept before delete on prompts for each row execute function keep_row_of_site();
create trigger prompt_versions_kept before delete on prompt_versions for each row execute function keep_row_of_site();
create trigger site_comments_kept before delete on site_comments for each row execute function keep_row_of_site();
create trigger site_months_kept before delete on site_months for each row execute function keep_row_of_site();
create trigger site_usage_kept before delete on site_usage for each row execute function keep_row_of_site();

-- Rows of the log about content are deleted after 400 days; all rows of a Site or an organisation with it.
create or replace function refuse_audit_log_deletion() returns trigger language plpgsql as $$
begin
  if old.content and old.at < now() - interval '400 days' then
    return old;
  end if;
  if exists (select from deletions where target_id in (old.site_id, old.organisation_id)) then
    return old;
  end if;
  raise exception 'audit_log takes new rows only; rows about content are deleted after 400 days'
    using errcode = 'insufficient_privilege';
end
$$;

-- An erased member loses their name in the log, with those of their keys and devices. Everything else of a row stays.
create function refuse_audit_log_update() returns trigger language plpgsql as $$
begin
  if new.actor_name in (old.actor_name, 'erased')
    and new.details in (old.details, old.details - 'client_name')
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

create trigger audit_log_update before update on audit_log
  for each row execute function refuse_audit_log_update();

drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before truncate or update of
  id, organisation_id, site_id, at, actor_kind, actor_id, action, target_type, target_id, request_id, content on audit_log
  for each statement execute function refuse_audit_log_change();
