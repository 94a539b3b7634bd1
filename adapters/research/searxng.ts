import { z } from 'zod';
import type { ResearchProvider } from './provider.ts';

/** Some engines give results without an address. */
const answer = z.object({ results: z.array(z.object({ url: z.string().nullish() })) });

/** A SearXNG of the operator, whose settings allow the format `json` (docs.searxng.org/dev/search_api.html). */
export const searxng: ResearchProvider = {
  vendor: null,
  request: (question) => ({
    method: 'GET',
    path: `/search?${new URLSearchParams({ q: question, format: 'json' }).toString()}`,
    headers: {},
  }),
  read: (given) => answer.parse(given).results.flatMap(({ url }) => url ?? []),
};
