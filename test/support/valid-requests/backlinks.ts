import { backlink } from '../home.ts';
import type { Build } from './valid-request.ts';

export const backlinkRequests: Readonly<Record<string, Build>> = {
  'POST /seo/backlinks/import': () => ({
    path: '/seo/backlinks/import',
    body: { csv: 'source_url,target_url\nhttps://news.example.org/,https://blog.example.com/' },
    audit: 'backlinks.import',
  }),
  'GET /seo/backlinks': async (home) => ({ path: '/seo/backlinks', shows: (await backlink(home)).id }),
  'DELETE /seo/backlinks/:id': async (home) => ({
    path: `/seo/backlinks/${(await backlink(home)).id}`,
    audit: 'backlink.delete',
  }),
};
