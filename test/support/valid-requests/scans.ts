import { scanKinds } from '../../../domain/seo/rules.ts';
import { finding, published, scan } from '../home.ts';
import type { Build } from './valid-request.ts';

const start =
  (kind: string): Build =>
  async (home) => {
    const { id, slug } = await published(home);
    const { domain } = await home.send('GET', '/site');
    const csv = `source_url,target_url\nhttps://news.example.org/${slug},https://${domain}/${slug}`;
    if (kind === 'backlinks') await home.send('POST', '/seo/backlinks/import', { csv });
    return {
      path: `/seo/scans/${kind}`,
      body: { article_ids: [id] },
      elsewhere: '422 VALIDATION_FAILED',
      audit: 'seo_scan.start',
    };
  };

export const scanRequests: Readonly<Record<string, Build>> = {
  ...Object.fromEntries(scanKinds.map((kind) => [`POST /seo/scans/${kind}`, start(kind)])),
  'GET /seo/scans': async (home) => ({ path: '/seo/scans', shows: (await scan(home)).id }),
  'GET /seo/scans/:id': async (home) => ({ path: `/seo/scans/${(await scan(home)).id}` }),
  'POST /seo/scans/:id/cancel': async (home) => ({
    path: `/seo/scans/${(await scan(home)).id}/cancel`,
    audit: 'seo_scan.cancel',
  }),
  'GET /seo/findings': async (home) => ({ path: '/seo/findings', shows: (await finding(home)).id }),
  'PATCH /seo/findings/:id': async (home) => ({
    path: `/seo/findings/${(await finding(home)).id}`,
    body: { status: 'dismissed' },
    audit: 'seo_finding.update',
  }),
  'POST /seo/findings/:id/plan': async (home) => ({
    path: `/seo/findings/${(await finding(home)).id}/plan`,
    audit: 'plan_item.create',
  }),
};
