import { articleId } from '../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
const commentId = '0197a0c4-6666-7d30-9b64-2f1f0d3c8a11';

export const commentWriteExample = {
  slug: 'how-to-brew-tea',
  body: 'Three minutes is too long for green tea.',
  author_name: 'Grace',
  author_email: 'grace@example.com',
  parent_id: null,
  reader_ip: '203.0.113.7',
};

export const submittedExample = { status: 'pending', duplicate: false };

const said = {
  id: commentId,
  parent_id: null,
  author_name: commentWriteExample.author_name,
  body: commentWriteExample.body,
  created_at: '2026-03-01T10:00:00.000Z',
};

export const postCommentsExample = {
  enabled: true,
  open: true,
  require_email: false,
  items: [said],
  next_cursor: null,
};

export const commentExample = {
  ...said,
  article_id: articleId,
  slug: 'how-to-brew-tea',
  status: 'approved',
  author_email: 'grace@example.com',
  is_reply_by_site: false,
  updated_at: '2026-03-01T10:05:00.000Z',
  spam_marked_at: null,
};

export const commentPageExample = {
  items: [commentExample],
  next_cursor: null,
  counts: { approved: 12, pending: 1, spam: 0 },
};

export const replyWriteExample = { body: 'Thank you, corrected.', author_name: 'The editors' };
export const replyExample = {
  ...commentExample,
  id: '0197a0c4-6677-7d30-9b64-2f1f0d3c8a11',
  parent_id: commentId,
  author_name: replyWriteExample.author_name,
  author_email: null,
  body: replyWriteExample.body,
  is_reply_by_site: true,
};

export const commentSettingsExample = {
  enabled: true,
  moderation: 'hold_links',
  require_email: false,
  close_after_days: 90,
};

/** The `data` of the event comment.created. */
export const commentEventExample = {
  id: commentId,
  article_id: articleId,
  slug: 'how-to-brew-tea',
  parent_id: null,
  status: 'pending',
  author_name: said.author_name,
  body: said.body,
  created_at: said.created_at,
};
