-- Up Migration

-- What each Site keeps, as far as it has been folded; what came after is in usage_changes.
create table site_usage (
  site_id uuid primary key references sites (id),
  documents bigint not null default 0,
  media_bytes bigint not null default 0,
  -- When it was last held against the rows themselves.
  checked_at timestamptz(3),
  -- What a Site's events take, as far as it has been folded; what came after is in event_byte_changes.
  event_bytes bigint not null default 0,
  -- How often the public content of a Site has changed, as far as it has been folded; what came after is in
  -- public_changes.
  public_changes bigint not null default 0
);

-- Writes only insert here, so that none of them waits for another over a count.
create table usage_changes (
  id bigint generated always as identity primary key,
  site_id uuid not null,
  documents bigint not null default 0,
  media_bytes bigint not null default 0
);

create index usage_changes_site_id_idx on usage_changes (site_id);

-- Writes only insert here, so that none of them waits for another over a count.
create table event_byte_changes (
  id bigint generated always as identity primary key,
  site_id uuid not null,
  bytes bigint not null
);

-- One row for each change of public content: writes only insert here, so that none of them waits for another.
create table public_changes (
  id bigint generated always as identity primary key,
  site_id uuid not null
);

create index public_changes_site_id_idx on public_changes (site_id);

-- What a Site used in a calendar month, in UTC; month is its first day.
create table site_months (
  site_id uuid not null references sites (id),
  month date not null,
  pipeline_runs bigint not null default 0,
  credits_spent bigint not null default 0,
  -- Calls of the writer that a model answered, or worked on, without a usable answer.
  failed_calls bigint not null default 0,
  constraint site_months_pkey primary key (site_id, month)
);

create function note_article_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_changes (site_id, documents) values (new.site_id, 1);
  else
    insert into usage_changes (site_id, documents) values (old.site_id, -1);
  end if;
  return null;
end $$;

create function note_media_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_changes (site_id, media_bytes) values (new.site_id, new.size_bytes);
  else
    insert into usage_changes (site_id, media_bytes) values (old.site_id, -old.size_bytes);
  end if;
  return null;
end $$;

create function note_event_recorded() returns trigger language plpgsql as $$
begin
  insert into event_byte_changes (site_id, bytes) values (new.site_id, octet_length(new.body));
  return null;
end $$;

-- One row for each Site and statement: housekeeping deletes in batches.
create function note_events_deleted() returns trigger language plpgsql as $$
begin
  insert into event_byte_changes (site_id, bytes)
  select site_id, -sum(octet_length(body)) from gone group by site_id;
  return null;
end $$;

create function note_events_rewritten() returns trigger language plpgsql as $$
begin
  insert into event_byte_changes (site_id, bytes)
  select site_id, sum(bytes) from (
    select site_id, octet_length(body) as bytes from rewritten
    union all
    select site_id, -octet_length(body) from gone
  ) moved group by site_id having sum(bytes) <> 0;
  return null;
end $$;

create function note_public_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into public_changes (site_id) values (old.site_id);
  else
    insert into public_changes (site_id) values (new.site_id);
  end if;
  return null;
end $$;

create trigger articles_usage after insert or delete on articles
  for each row execute function note_article_usage();
create trigger media_assets_usage after insert or delete on media_assets
  for each row execute function note_media_usage();
create trigger events_recorded after insert on events
  for each row execute function note_event_recorded();
create trigger events_deleted after delete on events referencing old table as gone
  for each statement execute function note_events_deleted();
create trigger events_rewritten after update on events referencing old table as gone new table as rewritten
  for each statement execute function note_events_rewritten();
create trigger site_months_kept before delete on site_months for each row execute function keep_row_of_site();
create trigger site_usage_kept before delete on site_usage for each row execute function keep_row_of_site();
create trigger articles_public_inserted after insert on articles
  for each row when (new.status = 'published') execute function note_public_change();
create trigger articles_public_updated after update on articles
  for each row when (old.status = 'published' or new.status = 'published') execute function note_public_change();
create trigger articles_public_deleted after delete on articles
  for each row when (old.status = 'published') execute function note_public_change();
create trigger categories_public_updated after update on categories
  for each row when ((old.name, old.slug) is distinct from (new.name, new.slug)) execute function note_public_change();
create trigger categories_public_deleted after delete on categories
  for each row execute function note_public_change();
create trigger tags_public_updated after update on tags
  for each row when ((old.name, old.slug) is distinct from (new.name, new.slug)) execute function note_public_change();
create trigger tags_public_deleted after delete on tags
  for each row execute function note_public_change();
create trigger authors_public_updated after update on authors
  for each row when ((old.name, old.slug) is distinct from (new.name, new.slug)) execute function note_public_change();
create trigger authors_public_deleted after delete on authors
  for each row execute function note_public_change();
