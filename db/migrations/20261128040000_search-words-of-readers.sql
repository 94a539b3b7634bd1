-- Up Migration

-- Of what text the words are: as readers see it, with the digest, or of the Markdown (null), until a worker has read it.
alter table article_search add column text_digest text;
alter table article_search add column refined boolean not null default false;
-- Whether there are more different words than the index takes: they are always read.
alter table article_search add column many boolean not null default false;

create function article_digest(title text, excerpt text, content text) returns text
  language plpgsql immutable parallel safe as $$
begin
  return md5(concat_ws(E'\n', title, excerpt, content));
end $$;

create function are_many_words(words text) returns boolean
  language sql immutable strict parallel safe as $$
  select octet_length(words) > 250000 and search_keys('00000000-0000-0000-0000-000000000000', words) is null
$$;

-- No word is left out.
create or replace function article_words(title text, excerpt text, content text) returns text
  language plpgsql immutable parallel safe as $$
begin
  return search_words(concat_ws(E'\n', title, excerpt, content));
end $$;

-- For writers that have not noted the words themselves, such as the version before this one.
create or replace function note_article_words() returns trigger language plpgsql as $$
declare
  found text;
begin
  if exists (
    select from article_search
    where article_id = new.id and text_digest = article_digest(new.title, new.excerpt, new.content)
  ) then
    return null;
  end if;
  found := article_words(new.title, new.excerpt, new.content);
  insert into article_search (article_id, site_id, words, many, changed_at)
  values (new.id, new.site_id, found, are_many_words(found), clock_timestamp())
  on conflict (article_id) do update
    set words = excluded.words, many = excluded.many, text_digest = null, refined = false,
      indexed = article_search.indexed and article_search.words = excluded.words, changed_at = excluded.changed_at;
  return null;
end $$;
