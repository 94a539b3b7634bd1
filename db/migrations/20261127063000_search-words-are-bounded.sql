-- Up Migration

-- The same words as before, but beyond 400,000 characters without letters that are words each. Some signs of three bytes
-- become six such letters or more, so that a text of 1 MiB took 6 s: others waited for it until their time was over.
create or replace function search_words(value text) returns text
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
