-- Up Migration

-- What a Site says about comments, and how many it has of each status. A Site without a row has the defaults and no
-- comments. Whoever writes comments of a Site locks its row first: that makes limits, duplicates and counts exact.
create table site_comments (
  site_id uuid primary key references sites (id),
  enabled boolean not null default false,
  moderation text not null default 'hold_links',
  require_email boolean not null default false,
  close_after_days integer,
  settings_version integer not null default 1,
  approved integer not null default 0,
  pending integer not null default 0,
  spam integer not null default 0,
  -- When the counts were last held against the comments.
  checked_at timestamptz(3),
  constraint site_comments_moderation_check check (moderation in ('none', 'hold_links', 'hold_all')),
  constraint site_comments_close_after_days_check check (close_after_days between 1 and 3650)
) with (fillfactor = 50);

create table comments (
  id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null references articles (id),
  -- The first comment of the thread, or null where this is it: replies are one level deep. No foreign key: a check for each
  -- deleted comment that no reply is left makes a long thread too slow to delete. Every write of comments locks the row of
  -- site_comments first, so that a reply cannot come while its parent goes.
  parent_id uuid,
  status text not null,
  -- Approved, and the first comment of its thread is, too. Kept by the writes, so that what is hidden costs the
  -- public read nothing.
  is_public boolean not null,
  author_name text not null,
  author_email text,
  body text not null,
  is_reply_by_site boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  spam_marked_at timestamptz(3),
  constraint comments_status_check check (status in ('approved', 'pending', 'spam')),
  constraint comments_is_public_check check (status = 'approved' or not is_public),
  constraint comments_spam_marked_at_check check ((status = 'spam') = (spam_marked_at is not null))
);

create index comments_public_idx on comments (article_id, created_at, id) where is_public;
create index comments_site_idx on comments (site_id, created_at, id);
create index comments_site_status_idx on comments (site_id, status, created_at, id);
create index comments_article_idx on comments (article_id, created_at, id);
create index comments_article_status_idx on comments (article_id, status, created_at, id);
create index comments_parent_idx on comments (parent_id) where parent_id is not null;
create index comments_author_email_idx on comments (site_id, lower(author_email)) where author_email is not null;
create index comments_spam_idx on comments (spam_marked_at) where status = 'spam';

-- Changes with whatever the public read of an article shows: what its ETag is made of.
create table comment_threads (
  article_id uuid primary key references articles (id) on delete cascade,
  version integer not null
) with (fillfactor = 50);

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

create trigger site_comments_kept before delete on site_comments for each row execute function keep_row_of_site();
