import { EMPTY_FIELDS } from './fields.ts';
import type { Kept, SaveState, Snapshot } from './save-state.ts';

/** An article before it has been created. */
export const NEW_ARTICLE: Snapshot = {
  id: null,
  target: 'article',
  etag: null,
  fields: EMPTY_FIELDS,
  live: null,
  lifecycle: {
    status: 'draft',
    origin: 'person',
    published_at: null,
    content_updated_at: null,
    scheduled_publish_at: null,
    updated_at: '',
    live_slug: null,
    edit_scheduled_at: null,
    edit_conflict: [],
  },
};

const nothingWrong = { attempt: 0, problem: null, refused: {}, conflict: null, isEditLost: false } as const;

/** An article as the API has it. */
export const opened = (base: Snapshot, createKey: string): SaveState => ({
  ...nothingWrong,
  phase: 'idle',
  base,
  mine: base.fields,
  sent: null,
  createKey,
});

/** An article with text that was kept. What the API has is read before anything is sent. */
export const restored = ({ base, mine, sent, createKey }: Kept): SaveState => ({
  ...nothingWrong,
  phase: base.id === null ? 'dirty' : 'checking',
  base,
  mine,
  sent,
  createKey,
});
