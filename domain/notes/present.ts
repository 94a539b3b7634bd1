import { presentPlace } from './anchors.ts';
import type { Note } from './note.ts';

/** A note as the API returns it (docs/spec/rulings.md, 23, Notes). */
export const presentNote = ({ start, quote, ...note }: Note) => ({
  id: note.id,
  article_id: note.article_id,
  parent_id: note.parent_id,
  body: note.body,
  quote,
  position: presentPlace({ quote, start }),
  author: note.author,
  mentions: note.mentions,
  resolved: note.resolved_by !== null,
  resolved_by: note.resolved_by,
  created_at: note.created_at.toISOString(),
  updated_at: note.updated_at.toISOString(),
});
