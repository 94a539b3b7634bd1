import { createRouter } from '@tanstack/react-router';
import { Failed } from './failed.tsx';
import { routes } from './routes.ts';
import { Loading } from '../ui/notes.tsx';

export const router = createRouter({
  routeTree: routes,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  // Answers are kept by the queries.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: Failed,
  defaultPendingComponent: Loading,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
