-- Up Migration

-- What was taken by POST /comments within a day: what duplicates and limits are told by. Only hashes, and gone
-- after a day, also where the comment stays; a comment that is deleted goes on to count.
create table comment_submissions (
  comment_id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null,
  -- Of author name, e-mail and body; null once the comment has been erased.
  content_hash bytea,
  reader_hash bytea,
  created_at timestamptz(3) not null
);

create index comment_submissions_site_idx on comment_submissions (site_id, created_at);
create index comment_submissions_reader_idx on comment_submissions (site_id, reader_hash, created_at)
  where reader_hash is not null;
create index comment_submissions_content_idx on comment_submissions (article_id, content_hash);
create index comment_submissions_created_at_idx on comment_submissions (created_at);

-- Under which a day's readers (UTC) are hashed. Destroyed when the next day is over, and their addresses with it.
create table reader_salts (
  day date primary key,
  salt bytea not null,
  constraint reader_salts_salt_check check (octet_length(salt) = 32)
);

-- Which events tell of which comment: erasure finds them here, also those of comments deleted before.
create table comment_events (
  event_id uuid primary key references events (id) on delete cascade,
  site_id uuid not null references sites (id),
  comment_id uuid not null,
  -- Of the author's address, under the Site's key.
  author_hash bytea
);

create index comment_events_comment_id_idx on comment_events (comment_id);
create index comment_events_author_idx on comment_events (site_id, author_hash) where author_hash is not null;
