import { scanKinds } from '../../../domain/seo/rules.ts';
import { backlink, finding, published, scan } from '../home.ts';
import type { Build } from './valid-request.ts';

const start =
  (kind: string): Build =>
  async (home) => {
    await published(home);
    if (kind === 'backlinks') await backlink(home);
    const audit = 'seo_scan.start';
    return { path: `/seo/scans/${kind}`, body: {}, elsewhere: 'OK', audit };
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
