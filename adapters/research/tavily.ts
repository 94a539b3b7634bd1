import { z } from 'zod';
import { RESULTS } from './provider.ts';
import type { ResearchProvider } from './provider.ts';

const answer = z.object({ results: z.array(z.object({ url: z.string() })) });

/** Tavily's search (docs.tavily.com/documentation/api-reference/endpoint/search). */
export const tavily: ResearchProvider = {
  vendor: 'https://api.tavily.com',
  request: (question, apiKey) => ({
    method: 'POST',
    path: '/search',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: { query: question, max_results: RESULTS },
  }),
  read: (given) => answer.parse(given).results.map(({ url }) => url),
};
