import type { ResearchProviderName } from '../../../adapters/research/providers.ts';

const said = (url: string) => ({ title: `About ${url}`, url });

/** What each provider answers that has found some pages, with members that are not used. */
export const answers: Readonly<Record<ResearchProviderName, (urls: readonly string[]) => object>> = {
  searxng: (urls) => ({
    query: 'rye',
    number_of_results: 0,
    results: [
      ...urls.map((url) => ({
        ...said(url),
        content: 'Rye rises slowly.',
        engine: 'duckduckgo',
        template: 'default.html',
        parsed_url: ['https', 'example.com', '/', '', '', ''],
        engines: ['duckduckgo'],
        positions: [1],
        publishedDate: null,
        score: 1,
        category: 'general',
      })),
      { template: 'keyvalue.html', title: 'No page', engine: 'wikidata' },
    ],
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: ['rye bread'],
    unresponsive_engines: [['brave', 'too many requests']],
  }),
  brave: (urls) => ({
    type: 'search',
    query: { original: 'rye', is_navigational: false, more_results_available: true },
    mixed: { type: 'mixed', main: urls.map((_, index) => ({ type: 'web', index, all: false })) },
    ...(urls.length > 0 && {
      web: {
        type: 'search',
        family_friendly: true,
        results: urls.map((url) => ({
          ...said(url),
          description: '<strong>Rye</strong> rises slowly.',
          is_source_local: false,
          profile: { name: 'Example', url: 'https://example.com/' },
          meta_url: { scheme: 'https', netloc: 'example.com' },
          age: 'March 3, 2025',
        })),
      },
    }),
  }),
  tavily: (urls) => ({
    query: 'rye',
    follow_up_questions: null,
    answer: null,
    images: [],
    results: urls.map((url) => ({
      ...said(url),
      content: 'Rye rises slowly.',
      score: 0.8,
      raw_content: null,
    })),
    response_time: 0.9,
    request_id: '123e4567-e89b-12d3-a456-426614174111',
  }),
};
