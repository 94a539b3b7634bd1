import { z } from 'zod';
import { RESULTS } from './provider.ts';
import type { ResearchProvider } from './provider.ts';

/** Without results there is no `web`. */
const answer = z.object({
  type: z.literal('search'),
  web: z.object({ results: z.array(z.object({ url: z.string() })) }).nullish(),
});

/** Brave's web search (api-dashboard.search.brave.com/documentation). */
export const brave: ResearchProvider = {
  vendor: 'https://api.search.brave.com',
  request: (question, apiKey) => ({
    method: 'GET',
    path: `/res/v1/web/search?${new URLSearchParams({
      q: question,
      count: String(RESULTS),
      result_filter: 'web',
    }).toString()}`,
    headers: { 'x-subscription-token': apiKey },
  }),
  read: (given) => answer.parse(given).web?.results.map(({ url }) => url) ?? [],
};
