const urlPaths = {
  article: '/{slug}',
  category: '/category/{slug}',
  tag: '/tag/{slug}',
  author: '/author/{slug}',
};

export const siteExample = {
  name: 'The Tea Blog',
  domain: 'blog.example.com',
  locale: 'en-GB',
  timezone: 'Europe/London',
  url_paths: urlPaths,
  preview_url: null,
  feed_content: 'excerpt',
  required_reviews: 0,
  ai_disclosure: 'none',
  max_unsupported_claims: null,
  public_base_url: 'https://presswork.example.com/public/6c1f0d3c8a11d309b642f1f0197a0c45',
  created_at: '2026-01-05T10:00:00.000Z',
};

export const siteWriteExample = {
  url_paths: { ...urlPaths, article: '/blog/{slug}' },
  preview_url: 'https://blog.example.com/drafts/{slug}?token={token}',
  feed_content: 'full',
};
