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
-- word for each letter. Two bounds on the time that a hostile text takes: the single spaces between most words, which stay
-- as they are, match no pattern, and letters that are words each are none beyond 400,000 characters, because some signs of
-- three bytes become six of them or more.
create function search_words(value text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  folded text := search_folded(value);
  rest text;
begin
  if octet_length(folded) = length(folded) then
    folded := regexp_replace(folded collate "C", ' *[^a-z0-9 ][^a-z0-9]*|  +', ' ', 'g');
  else
    folded := regexp_replace(
      left(folded, 1200000) collate "pg_c_utf8",
      ' *[^[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F ][^[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]*|  +',
      ' ', 'g');
    if folded ~ '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\U00020000-\U0003FFFF]' collate "C" then
      rest := regexp_replace(substr(folded, 400001) collate "C",
        '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\U00020000-\U0003FFFF]+', ' ', 'g');
      folded := regexp_replace(left(folded, 400000) collate "C",
        '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\U00020000-\U0003FFFF])', ' \1 ', 'g');
      folded := regexp_replace(folded || rest, ' {2,}', ' ', 'g');
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
