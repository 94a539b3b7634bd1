import { comment, name } from '../home.ts';
import type { Build } from './valid-request.ts';

export const commentRequests: Readonly<Record<string, Build>> = {
  'GET /comments/posts/:slug': async (home) => {
    const { id, slug } = await comment(home);
    return { path: `/comments/posts/${slug}`, shows: id };
  },
  'POST /comments': async (home) => {
    const { slug } = await comment(home);
    return {
      path: '/comments',
      body: { slug, body: name(), author_name: 'Ada' },
      elsewhere: '404 NOT_FOUND',
    };
  },
  'GET /comments': async (home) => ({ path: '/comments', shows: (await comment(home)).id }),
  'GET /comments/settings': async ({ send }) => {
    await send('PATCH', '/comments/settings', { close_after_days: 1_234 });
    return { path: '/comments/settings', shows: '1234' };
  },
  'PATCH /comments/settings': () => ({
    path: '/comments/settings',
    body: { enabled: true, close_after_days: 1 + Math.floor(Math.random() * 3_000) },
    audit: 'comments.settings',
  }),
  'POST /comments/erase': async (home) => {
    await comment(home);
    const body = { author_email: 'ada@example.com' };
    return { path: '/comments/erase', body, audit: 'comments.erase' };
  },
  'POST /comments/:id/approve': async (home) => ({
    path: `/comments/${(await comment(home, 'hold_all')).id}/approve`,
    audit: 'comment.approve',
  }),
  'POST /comments/:id/hold': async (home) => ({
    path: `/comments/${(await comment(home)).id}/hold`,
    audit: 'comment.hold',
  }),
  'POST /comments/:id/spam': async (home) => ({
    path: `/comments/${(await comment(home)).id}/spam`,
    audit: 'comment.spam',
  }),
  'POST /comments/:id/reply': async (home) => ({
    path: `/comments/${(await comment(home)).id}/reply`,
    body: { body: name() },
    audit: 'comment.reply',
  }),
  'DELETE /comments/:id': async (home) => ({
    path: `/comments/${(await comment(home)).id}`,
    audit: 'comment.delete',
  }),
};
