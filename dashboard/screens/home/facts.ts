import type { Presswork } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { membershipOf, useAccount } from '../../session/account.ts';
import { loadWaiting } from '../approvals/waiting.ts';

const REFRESH_MS = 60_000;
/** Late by less, and the worker is just about to publish it. */
const OVERDUE_MS = 60_000;
const RECENT_MS = 7 * 86_400_000;

/** What both the first steps and what needs attention are made of: one small page of each resource. */
export function useFacts() {
  const { id: siteId, rights } = useSite();
  const me = membershipOf(useAccount(), siteId)?.member_id;
  return {
    scheduled: useItem({
      key: ['articles', 'home', 'scheduled'],
      // The one that was changed longest ago is the one most likely to be overdue.
      load: (presswork, options) =>
        presswork.articles.list(
          {
            status: ['scheduled'],
            order: 'updated_at.asc',
            limit: 50,
            fields: ['title', 'scheduled_publish_at'],
          },
          options,
        ),
      refreshMs: REFRESH_MS,
      enabled: rights.can('articles:read'),
    }),
    webhooks: useItem({
      key: ['webhooks', 'home'],
      load: (presswork, options) => presswork.webhooks.list({ limit: 20 }, options),
      enabled: rights.can('webhooks:read') && rights.administers,
    }),
    members: useItem({
      key: ['team', 'home'],
      load: (presswork, options) => presswork.team.listMembers({ limit: 2 }, options),
      enabled: rights.administers,
    }),
    approvals: useItem({
      // As the badge has it, so that both say the same.
      key: ['approvals', 'waiting'],
      load: (presswork, options) => loadWaiting(presswork, undefined, options),
      refreshMs: REFRESH_MS,
      enabled: rights.administers,
    }),
    comments: useItem({
      key: ['comments', 'home'],
      load: (presswork, options) => presswork.comments.list({ limit: 1 }, options),
      refreshMs: REFRESH_MS,
      enabled: rights.can('comments:read'),
    }),
    reviews: useItem({
      key: ['reviews', 'waiting', me],
      load: (presswork, options) => loadReviews(presswork, me, options),
      refreshMs: REFRESH_MS,
      enabled: rights.publishes && rights.can('articles:read'),
    }),
    runs: useItem({
      key: ['runs', 'home'],
      load: (presswork, options) => presswork.pipeline.listRuns({ limit: 10 }, options),
      enabled: rights.can('pipeline:read'),
    }),
  };
}

const MOST_REVIEWS = 5;

/** The reviews that wait for a person: those of nobody in particular wait for all who may decide. */
async function loadReviews(presswork: Presswork, me: string | undefined, options: { signal: AbortSignal }) {
  const { items } = await presswork.reviews.list({ state: 'requested', limit: 100 }, options);
  const mine = items.filter(
    ({ reviewers }) => reviewers.length === 0 || reviewers.some(({ id }) => id === me),
  );
  return Promise.all(
    mine.slice(0, MOST_REVIEWS).map(async (review) => {
      const fields = ['title'] as const;
      const { title } = await presswork.articles.get(review.article_id, { fields }, options);
      return { ...review, title };
    }),
  );
}

export type Facts = ReturnType<typeof useFacts>;

export const isOverdue = (time: string | null | undefined, now: number): boolean =>
  typeof time === 'string' && Date.parse(time) + OVERDUE_MS < now;

export const isRecent = (time: string | null, now: number): boolean =>
  time !== null && now - Date.parse(time) < RECENT_MS;
