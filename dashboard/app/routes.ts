import { createRootRoute, createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/queries.ts';
import { isPressworkError } from '../api/queries.ts';
import { search as approvals } from '../screens/approvals/search.ts';
import { search as articles } from '../screens/articles/search.ts';
import { search as auditLog } from '../screens/audit-log/search.ts';
import { search as calendar } from '../screens/calendar/search.ts';
import { search as comments } from '../screens/comments/search.ts';
import { search as contentPlan } from '../screens/content-plan/search.ts';
import { search as delivery } from '../screens/delivery/search.ts';
import { search as editor } from '../screens/editor/search.ts';
import { search as events } from '../screens/events/search.ts';
import { search as formatsAndPrompts } from '../screens/formats-and-prompts/search.ts';
import { search as keys } from '../screens/keys/search.ts';
import { search as media } from '../screens/media/search.ts';
import { search as notifications } from '../screens/notifications/search.ts';
import { search as runs } from '../screens/runs/search.ts';
import { backlinkSearch, findingSearch } from '../screens/seo/search.ts';
import { search as settings } from '../screens/settings/search.ts';
import { search as taxonomy } from '../screens/taxonomy/search.ts';
import { search as usage } from '../screens/usage/search.ts';
import { search as webhooks } from '../screens/webhooks/search.ts';
import { accountQuery, membershipOf, signInUrl } from '../session/account.ts';
import { siteQuery } from '../api/site.ts';
import { Shell } from './shell.tsx';
import { lastSite } from './last-site.ts';

const root = createRootRoute({
  beforeLoad: async () => {
    try {
      await queryClient.ensureQueryData(accountQuery);
    } catch (error) {
      if (!isPressworkError(error) || error.status !== 401) throw error;
      location.assign(signInUrl());
      // The browser leaves; nothing is shown until it has.
      await new Promise<never>(() => {});
    }
  },
});

const chooser = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const { memberships } = await queryClient.ensureQueryData(accountQuery);
    const siteId = lastSite(memberships.flatMap(({ sites }) => sites));
    if (siteId !== null) throw redirect({ to: '/$siteId', params: { siteId } });
  },
  component: lazyRouteComponent(() => import('./sites.tsx'), 'Sites'),
});

const site = createRoute({
  getParentRoute: () => root,
  path: '/$siteId',
  loader: async ({ params: { siteId } }) => {
    const known = await queryClient.ensureQueryData(accountQuery);
    if (!membershipOf(known, siteId)) {
      // A new Site is in the account as it is now.
      const now = await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
      if (!membershipOf(now, siteId)) throw notFound();
    }
    return queryClient.ensureQueryData(siteQuery(siteId));
  },
  component: Shell,
  errorComponent: lazyRouteComponent(() => import('./alone.tsx'), 'FailedAlone'),
  notFoundComponent: lazyRouteComponent(() => import('./alone.tsx'), 'NotFoundAlone'),
});

const screen = <const Path extends string>(path: Path) => ({ getParentRoute: () => site, path });

const siteScreens = [
  createRoute({
    ...screen('/'),
    component: lazyRouteComponent(() => import('../screens/home/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('articles'),
    validateSearch: articles,
    component: lazyRouteComponent(() => import('../screens/articles/screen.tsx'), 'Screen'),
  }),
  createRoute({
    // A new article is `new` until it is saved, and stays open when it gets its id.
    ...screen('articles/$articleId'),
    validateSearch: editor,
    component: lazyRouteComponent(() => import('../screens/editor/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('content-plan'),
    validateSearch: contentPlan,
    component: lazyRouteComponent(() => import('../screens/content-plan/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('seo'),
    validateSearch: findingSearch,
    component: lazyRouteComponent(() => import('../screens/seo/findings.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('seo/scans'),
    component: lazyRouteComponent(() => import('../screens/seo/scans.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('seo/backlinks'),
    validateSearch: backlinkSearch,
    component: lazyRouteComponent(() => import('../screens/seo/backlinks.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('billing'),
    component: lazyRouteComponent(() => import('../screens/billing/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('bulk'),
    component: lazyRouteComponent(() => import('../screens/bulk/recent.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('bulk/$jobId'),
    component: lazyRouteComponent(() => import('../screens/bulk/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('calendar'),
    validateSearch: calendar,
    component: lazyRouteComponent(() => import('../screens/calendar/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('notifications'),
    validateSearch: notifications,
    component: lazyRouteComponent(() => import('../screens/notifications/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('media'),
    validateSearch: media,
    component: lazyRouteComponent(() => import('../screens/media/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('categories'),
    validateSearch: taxonomy,
    component: lazyRouteComponent(() => import('../screens/taxonomy/screen.tsx'), 'Categories'),
  }),
  createRoute({
    ...screen('tags'),
    validateSearch: taxonomy,
    component: lazyRouteComponent(() => import('../screens/taxonomy/screen.tsx'), 'Tags'),
  }),
  createRoute({
    ...screen('authors'),
    validateSearch: taxonomy,
    component: lazyRouteComponent(() => import('../screens/taxonomy/screen.tsx'), 'Authors'),
  }),
  createRoute({
    ...screen('comments'),
    validateSearch: comments,
    component: lazyRouteComponent(() => import('../screens/comments/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('runs'),
    validateSearch: runs,
    component: lazyRouteComponent(() => import('../screens/runs/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('runs/new'),
    component: lazyRouteComponent(() => import('../screens/runs/new.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('runs/$runId'),
    component: lazyRouteComponent(() => import('../screens/runs/run.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('formats-and-prompts'),
    validateSearch: formatsAndPrompts,
    component: lazyRouteComponent(() => import('../screens/formats-and-prompts/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('approvals'),
    validateSearch: approvals,
    component: lazyRouteComponent(() => import('../screens/approvals/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('approvals/$approvalId'),
    component: lazyRouteComponent(() => import('../screens/approvals/approval.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('webhooks'),
    component: lazyRouteComponent(() => import('../screens/webhooks/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('webhooks/$webhookId'),
    validateSearch: webhooks,
    component: lazyRouteComponent(() => import('../screens/webhooks/webhook.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('delivery'),
    validateSearch: delivery,
    component: lazyRouteComponent(() => import('../screens/delivery/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('events'),
    validateSearch: events,
    component: lazyRouteComponent(() => import('../screens/events/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('keys'),
    validateSearch: keys,
    component: lazyRouteComponent(() => import('../screens/keys/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('team'),
    component: lazyRouteComponent(() => import('../screens/team/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('usage'),
    validateSearch: usage,
    component: lazyRouteComponent(() => import('../screens/usage/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('audit-log'),
    validateSearch: auditLog,
    component: lazyRouteComponent(() => import('../screens/audit-log/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('settings'),
    validateSearch: settings,
    component: lazyRouteComponent(() => import('../screens/settings/screen.tsx'), 'Screen'),
  }),
  createRoute({
    ...screen('account'),
    component: lazyRouteComponent(() => import('../screens/account/screen.tsx'), 'Screen'),
  }),
  createRoute({
    // Anything else: the Site is right, so its navigation stays.
    ...screen('$'),
    component: lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound'),
  }),
] as const;

export const routes = root.addChildren([chooser, site.addChildren(siteScreens)]);
