import { buildKey, buildMember } from '../builders.ts';
import { article, name } from '../home.ts';
import type { Home } from '../home.ts';
import type { Build } from './valid-request.ts';

/** An article by an agent, of which a review is open: its person may decide about it. */
async function inReview(home: Home): Promise<string> {
  const path = `/articles/${(await article(home)).id}/review`;
  await home.send('POST', path);
  return path;
}

/** The same with another author. */
async function decidable({ api, tenant, send }: Home): Promise<string> {
  const memberId = await buildMember(api.db, tenant.organisationId, 'author');
  const { secret: key } = await buildKey(api.db, tenant.siteId, memberId);
  const { data } = await api.request('POST', '/articles', { key, body: {}, idempotencyKey: true });
  await send('POST', `/articles/${data.id}/review`);
  return `/articles/${data.id}/review`;
}

/** A note on an article, and the path of the list. */
async function note(home: Home): Promise<{ path: string; id: string }> {
  const path = `/articles/${(await article(home)).id}/notes`;
  return { path, id: (await home.send('POST', path, { body: name() })).id };
}

export const reviewRequests: Readonly<Record<string, Build>> = {
  'POST /articles/:id/review': async (home) => ({
    path: `/articles/${(await article(home)).id}/review`,
    audit: 'review.request',
  }),
  'GET /articles/:id/review': async (home) => ({ path: await inReview(home) }),
  'POST /articles/:id/review/approve': async (home) => ({
    path: `${await decidable(home)}/approve`,
    agents: '403 FORBIDDEN',
    audit: 'review.approve',
  }),
  'POST /articles/:id/review/request-changes': async (home) => ({
    path: `${await decidable(home)}/request-changes`,
    body: { note: 'Shorter, please.' },
    agents: '403 FORBIDDEN',
    audit: 'review.request_changes',
  }),
  'DELETE /articles/:id/review': async (home) => ({ path: await inReview(home), audit: 'review.withdraw' }),
  'GET /articles/:id/notes': async (home) => {
    const { path, id } = await note(home);
    return { path, shows: id };
  },
  'GET /articles/:id/claims': async (home) => ({ path: (await note(home)).path.replace('notes', 'claims') }),
  'POST /articles/:id/notes': async (home) => ({
    path: (await note(home)).path,
    body: { body: name() },
    audit: 'note.create',
  }),
  'PATCH /articles/:id/notes/:note_id': async (home) => {
    const { path, id } = await note(home);
    return { path: `${path}/${id}`, body: { resolved: true }, audit: 'note.update' };
  },
  'DELETE /articles/:id/notes/:note_id': async (home) => {
    const { path, id } = await note(home);
    return { path: `${path}/${id}`, audit: 'note.delete' };
  },
  'GET /reviews': async (home) => {
    await inReview(home);
    return { path: '/reviews' };
  },
};
