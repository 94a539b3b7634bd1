-- Up Migration

-- A text without case, accents and forms of the same letter. It depends on no locale and on no extension. Indexes contain
-- it: another meaning needs a function of another name.
create function search_folded(value text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(value) = length(value) then
    return lower(value collate "C");
  end if;
  return replace(replace(replace(translate(
    lower(regexp_replace(
      normalize(value, NFKD),
      -- Marks that letters carry, and what is not seen at all.
      '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0640\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u3099\u309A\uFE20-\uFE2F\u00AD\u200B-\u200F\u2060\uFEFF]+' collate "C",
      '', 'g') collate "pg_c_utf8"),
    'ςøłđħŧı', 'σoldhti'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') collate "C";
end $$;

-- The words of a text, folded, each with a space before and after it. Scripts that write no spaces between words have a
-- word for each letter.
create function search_words(value text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  folded text := search_folded(value);
begin
  if octet_length(folded) = length(folded) then
    folded := regexp_replace(folded collate "C", '[^a-z0-9]+', ' ', 'g');
  else
    folded := regexp_replace(
      folded collate "pg_c_utf8", '[^[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]+', ' ', 'g');
    if folded ~ '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\U00020000-\U0003FFFF]' collate "C" then
      folded := regexp_replace(folded collate "C",
        '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\U00020000-\U0003FFFF])', ' \1 ', 'g');
      folded := regexp_replace(folded, ' {2,}', ' ', 'g');
    end if;
  end if;
  return (' ' || trim(folded) || ' ') collate "C";
end $$;

-- What an index finds words by: each word after the end of its Site's id, so that no look-up reads another Site's words,
-- and that end alone, for all. Null for more than an index takes.
create function search_keys(site uuid, words text) returns tsvector
  language sql immutable strict parallel safe as $$
  select case when sum(octet_length(key)) < 1000000 then array_to_tsvector(array_agg(key)) end
  from (
    select distinct right(site::text, 12) || left(word, 40) as key
    from string_to_table(words, ' ') as word
  ) keys
$$;

-- The words of each article. Those that are not indexed yet are read instead.
create table article_search (
  article_id uuid primary key references articles (id) on delete cascade,
  site_id uuid not null,
  words text collate "C" not null,
  indexed boolean not null default false,
  changed_at timestamptz(3) not null
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

-- How far the articles that are older than the table have been taken into it. Without a row that is done.
create table article_search_backfill (
  after_id uuid not null primary key
);
insert into article_search_backfill (after_id) values ('00000000-0000-0000-0000-000000000000');

-- The words that an article is found by. Of one with more different words than an index takes, the first ones: so many
-- always fit.
create function article_words(title text, excerpt text, content text) returns text
  language plpgsql immutable parallel safe as $$
declare
  found text := search_words(concat_ws(E'\n', title, excerpt, content));
begin
  if octet_length(found) > 250000
    and search_keys('00000000-0000-0000-0000-000000000000', found) is null then
    return left(found, 100000) || ' ';
  end if;
  return found;
end $$;

-- A trigger, because articles change in several ways, also by the version before this one.
create function note_article_words() returns trigger language plpgsql as $$
begin
  insert into article_search (article_id, site_id, words, changed_at)
  values (new.id, new.site_id, article_words(new.title, new.excerpt, new.content), clock_timestamp())
  on conflict (article_id) do update
    set words = excluded.words, indexed = false, changed_at = excluded.changed_at
    where article_search.words <> excluded.words;
  return null;
end $$;

create trigger articles_words_of_new after insert on articles
  for each row execute function note_article_words();
create trigger articles_words_of_changed after update of title, excerpt, content on articles
  for each row when (
    old.title is distinct from new.title or old.excerpt is distinct from new.excerpt
    or old.content is distinct from new.content
  ) execute function note_article_words();
