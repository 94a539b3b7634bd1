-- Up Migration

create table articles (
  id uuid primary key,
  site_id uuid not null references sites (id),
  status text not null,
  title text,
  slug text collate "C",
  content text,
  excerpt text,
  featured_image_url text,
  seo_title text,
  seo_description text,
  seo_keywords jsonb,
  faqs jsonb,
  key_takeaways jsonb,
  howto_steps jsonb,
  comparison jsonb,
  category_id uuid,
  author_id uuid,
  format_id uuid,
  external_id text,
  published_at timestamptz(3),
  content_updated_at timestamptz(3),
  scheduled_publish_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint articles_site_slug_key unique (site_id, slug),
  constraint articles_category_fkey foreign key (site_id, category_id) references categories (site_id, id),
  constraint articles_author_fkey foreign key (site_id, author_id) references authors (site_id, id),
  constraint articles_format_fkey foreign key (format_id) references content_types (id),
  constraint articles_status_check check (status in (
    'draft', 'scheduled', 'published', 'discovered', 'scored', 'skipped', 'scraped', 'generated',
    'needs_improvement', 'needs_images', 'queued', 'rejected', 'failed'
  )),
  constraint articles_scheduled_check check ((status = 'scheduled') = (scheduled_publish_at is not null)),
  constraint articles_public_check check (
    status not in ('scheduled', 'published') or (title is not null and slug is not null and content is not null)
  ),
  constraint articles_published_at_check check (status <> 'published' or published_at is not null)
) with (fillfactor = 90);

-- An index for each order of the list, and for each filter in the default order.
create index articles_updated_at_idx on articles (site_id, updated_at, id);
create index articles_created_at_idx on articles (site_id, created_at, id);
create index articles_published_at_desc_idx on articles (site_id, published_at desc nulls last, id desc);
create index articles_published_at_asc_idx on articles (site_id, published_at asc nulls last, id asc);
create index articles_status_idx on articles (site_id, status, updated_at, id);
create index articles_category_idx on articles (site_id, category_id, updated_at, id) where category_id is not null;
create index articles_author_idx on articles (site_id, author_id, updated_at, id) where author_id is not null;
create index articles_external_id_idx on articles (site_id, external_id, updated_at, id) where external_id is not null;
create index articles_scheduled_idx on articles (scheduled_publish_at) where status = 'scheduled';

create table article_tags (
  article_id uuid not null references articles (id) on delete cascade,
  tag_id uuid not null,
  site_id uuid not null,
  primary key (article_id, tag_id),
  constraint article_tags_tag_fkey foreign key (site_id, tag_id) references tags (site_id, id)
);

create index article_tags_tag_idx on article_tags (site_id, tag_id, article_id);
