-- Up Migration

-- What an index finds words by, as before: each word after the end of its Site's id, and that end alone. The usual text
-- has no word that is cut and never more keys than an index takes, and needs no query.
create or replace function search_keys(site uuid, words text) returns tsvector
  language plpgsql immutable strict parallel safe as $$
declare
  place text := right(site::text, 12);
begin
  if octet_length(words) < 140000 and words !~ '[^ ]{41}' then
    return array_to_tsvector(string_to_array(place || replace(words, ' ', ' ' || place), ' '));
  end if;
  return (
    select case when sum(octet_length(key)) < 1000000 then array_to_tsvector(array_agg(key)) end
    from (select distinct place || left(word, 40) as key from string_to_table(words, ' ') as word) keys
  );
end $$;

-- New rows are put into the tree a hundred at a time, each word once for all of them. Searches read them in the list.
alter index article_search_keys_idx set (fastupdate = on, gin_pending_list_limit = 256);
