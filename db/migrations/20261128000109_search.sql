-- Up Migration

-- The words of each article. Those that are not indexed yet are read instead.
create table article_search (
  article_id uuid primary key references articles (id) on delete cascade,
  site_id uuid not null,
  words text collate "C" not null,
  indexed boolean not null default false,
  changed_at timestamptz(3) not null,
  -- Of what text the words are: as readers see it, with the digest, or of the Markdown (null), until a worker has read it.
  text_digest text,
  refined boolean not null default false,
  -- Whether there are more different words than the index takes: they are always read.
  many boolean not null default false
) with (fillfactor = 90);

-- Rows without texts are small, so that the index's hits are on few pages.
alter table article_search alter column words set storage external;
alter table article_search set (toast_tuple_target = 128);

create index article_search_keys_idx on article_search using gin (search_keys(site_id, words))
  with (fastupdate = off) where indexed;
-- Made anew from the texts of sampled rows, its statistics would cost much, and be of no use: each Site has its own words.
alter index article_search_keys_idx alter column 1 set statistics 0;
create index article_search_waiting_idx on article_search (changed_at) where not indexed;
create index article_search_site_waiting_idx on article_search (site_id) where not indexed;
create index article_search_unrefined_idx on article_search (changed_at) where not refined;
create index article_search_many_idx on article_search (site_id) where many;

-- Of the text that words are of.
create function article_digest(title text, excerpt text, content text) returns text
  language plpgsql immutable parallel safe as $$
begin
  return md5(concat_ws(E'\n', title, excerpt, content));
end $$;

-- The words of the Markdown of an article.
create function article_words(title text, excerpt text, content text) returns text
  language plpgsql immutable parallel safe as $$
begin
  return search_words(concat_ws(E'\n', title, excerpt, content));
end $$;

-- Whether an index does not take them.
create function are_many_words(words text) returns boolean
  language sql immutable strict parallel safe as $$
  select octet_length(words) > 250000 and search_keys('00000000-0000-0000-0000-000000000000', words) is null
$$;

-- For writes that have not noted the words themselves: of the pipeline, and when there was no time to read them. A worker
-- reads those later.
create function note_article_words() returns trigger language plpgsql as $$
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

create trigger articles_words_of_new after insert on articles
  for each row execute function note_article_words();
create trigger articles_words_of_changed after update of title, excerpt, content on articles
  for each row when (
    old.title is distinct from new.title or old.excerpt is distinct from new.excerpt
    or old.content is distinct from new.content
  ) execute function note_article_words();
