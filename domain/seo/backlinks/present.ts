import type { Backlink } from './backlink.ts';

export const presentBacklink = (link: Backlink) => ({
  id: link.id,
  source_url: link.source_url,
  target_url: link.target_url,
  anchor: link.anchor,
  rel: link.rel ?? [],
  article_id: link.article_id,
  status: link.status,
  first_seen_at: link.first_seen_at.toISOString(),
  last_seen_at: link.last_seen_at.toISOString(),
  checked_at: link.checked_at?.toISOString() ?? null,
});
