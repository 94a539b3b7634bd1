import { QueryClient } from '@tanstack/react-query';
import { PressworkError } from '../../sdk/src/index.ts';

/**
 * Keys of queries are `[siteId, resource, 'list' | 'item', …what is asked]`, so that a change refreshes `[siteId, resource]`.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client of the API tries again itself.
      retry: false,
      staleTime: 10_000,
      // It would copy answers, and a copy has no ETag.
      structuralSharing: false,
      // A request that cannot be sent is an error that says so, and not a wait without an end.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

export const isPressworkError = (error: unknown): error is PressworkError => error instanceof PressworkError;

/** Whether somebody else changed the object first. */
export const isConflict = (error: unknown): error is PressworkError =>
  isPressworkError(error) && error.code === 'PRECONDITION_FAILED';

export const isMissing = (error: unknown): error is PressworkError =>
  isPressworkError(error) && error.status === 404;
