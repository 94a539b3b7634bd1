-- Up Migration

-- What the text of an article claims, and what its sources say of it. Each stage improve replaces them.
create table article_claims (
  id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null references articles (id) on delete cascade,
  text text not null,
  verdict text not null
    constraint article_claims_verdict_check check (verdict in ('supported', 'weak', 'unsupported')),
  -- The number of the source at that time; null also for what the notes of the topic say.
  source_n integer,
  evidence text,
  -- As of notes: where the text is in the content, in code points; null while it is not. `near` is where it is looked for
  -- then, and `content_number` the revision whose content these two are about.
  start integer,
  near integer not null,
  content_number integer not null
);

create index article_claims_article_idx on article_claims (article_id, id);
create index article_claims_site_idx on article_claims (site_id);
