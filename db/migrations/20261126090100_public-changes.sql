-- Up Migration

-- How often the public content of a Site has changed, as far as it has been folded; what came after is in
-- public_changes.
alter table site_usage add column public_changes bigint not null default 0;

-- One row for each change of public content: writes only insert here, so that none of them waits for another.
create table public_changes (
  id bigint generated always as identity primary key,
  site_id uuid not null
);

create index public_changes_site_id_idx on public_changes (site_id);

create function note_public_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into public_changes (site_id) values (old.site_id);
  else
    insert into public_changes (site_id) values (new.site_id);
  end if;
  return null;
end $$;

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
