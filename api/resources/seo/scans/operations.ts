import { versionOfArticles } from '../../../../domain/articles/versions.ts';
import { createScan } from '../../../../domain/seo/create-scan.ts';
import { presentScan } from '../../../../domain/seo/present-scan.ts';
import type { ScanKindName } from '../../../../domain/seo/rules.ts';
import { getScan, listScans } from '../../../../domain/seo/scan.ts';
import { cancelScan } from '../../../../domain/seo/scan-lifecycle.ts';
import { listOperation } from '../../../framework/list-operation.ts';
import { operation } from '../../../framework/operation.ts';
import type { Access, Declared } from '../../../framework/operation.ts';
import { refuseWithoutEntitlement } from '../../../../domain/kernel/entitlement.ts';
import { accepted, ok } from '../../../framework/reply.ts';
import { cancelledScanExample, crawlWriteExample, finishedScanExample, scanExample } from './examples.ts';
import { CrawlBody, examineScan, ScanBody, ScanPage, ScanQuery, ScanShape } from './schema.ts';

const reading: Access = { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' };
const running = { scope: 'pipeline:run', permission: 'pipeline.run' } as const;

const MONEY =
  'Units are charged before they begin, and a unit that has begun is charged whole. If credits or the spend cap end it, the scan is `partial`; `resume_scan_id` goes on with what is left.';

/** One of the seven; each is an operation of its own, as its body and its price are. */
const start = <B extends typeof ScanBody | typeof CrawlBody>(
  kind: ScanKindName,
  { id, summary, description, body }: { id: string; summary: string; description: string; body: B },
): Declared =>
  operation({
    id,
    method: 'POST',
    path: `/seo/scans/${kind}`,
    summary,
    description: `${description} ${MONEY}`,
    access: { ...running, rateClass: 'pipeline', refuse: refuseWithoutEntitlement },
    body: (body as typeof CrawlBody).optional(),
    example: {
      ...(kind === 'site-crawl' && { body: crawlWriteExample }),
      data: { ...scanExample, kind, units: { done: 0, total: kind === 'site-crawl' ? null : 3 } },
    },
    examine: examineScan,
    idempotency: 'honoured',
    approval: {
      actions: ['seo_scan.start'],
      async target({ tx, site, body: sent }) {
        const { resume_scan_id: resumeId, article_ids: articleIds } = sent ?? {};
        if (articleIds !== undefined) return { version: await versionOfArticles(tx, site.id, articleIds) };
        return resumeId === undefined ? null : { version: (await getScan(tx, site.id, resumeId)).status };
      },
    },
    answers: { 202: ScanShape },
    headers: ['Location'],
    errors: [
      'NOT_FOUND',
      'CONFLICT',
      'NOT_ENTITLED',
      'PREREQUISITE_MISSING',
      'FEATURE_UNAVAILABLE',
      'INSUFFICIENT_CREDITS',
      'SPEND_CAP_REACHED',
    ],
    async handle({ tx, site, actor, body: sent, ports, now }) {
      const { resume_scan_id: resumeId, ...parameters } = sent ?? {};
      const scan = await createScan({ tx, site, actor, now }, ports.scans, { kind, parameters, resumeId });
      return accepted(presentScan(scan), { location: `/seo/scans/${scan.id}` });
    },
  });

const starts = [
  start('site-crawl', {
    id: 'startSiteCrawl',
    summary: 'Crawl the Site’s pages',
    description:
      'Follows the links of pages, on one origin, and looks for broken pages, redirects, and what search engines stumble over. 10 pages are a unit.',
    body: CrawlBody,
  }),
  start('on-page', {
    id: 'startOnPageScan',
    summary: 'Check articles for what search engines and readers expect',
    description:
      'Looks at titles, descriptions, headings, images, length and readability of the stored articles. It fetches nothing. 10 articles are a unit.',
    body: ScanBody,
  }),
  start('structured-data', {
    id: 'startStructuredDataScan',
    summary: 'Check the structured data of articles’ pages',
    description: 'Fetches the pages of published articles and checks their JSON-LD. 5 pages are a unit.',
    body: ScanBody,
  }),
  start('outbound-links', {
    id: 'startOutboundLinkScan',
    summary: 'Check the links of articles to other sites',
    description: 'Fetches what articles link to. 50 links are a unit.',
    body: ScanBody,
  }),
  start('backlinks', {
    id: 'startBacklinkScan',
    summary: 'Check imported links from other sites',
    description:
      'Looks whether the pages still link here, how, and to what. 20 links are a unit. Import them first: `POST /seo/backlinks/import`.',
    body: ScanBody,
  }),
  start('internal-links', {
    id: 'startInternalLinkScan',
    summary: 'Check the links between articles',
    description:
      'Finds articles that none links to, links to articles that are not there, and related articles without a link. Related are those with a keyword or two tags in common. It fetches nothing. 10 articles are a unit.',
    body: ScanBody,
  }),
  start('keyword-overlap', {
    id: 'startKeywordOverlapScan',
    summary: 'Find articles that compete for a keyword',
    description:
      'Finds published articles that have one of `seo_keywords` in common. It fetches nothing. 10 articles are a unit.',
    body: ScanBody,
  }),
];

const list = listOperation({
  id: 'listScans',
  path: '/seo/scans',
  summary: 'List scans, newest first',
  description: 'Scans of every kind and status; `kind` limits them to one.',
  access: reading,
  query: ScanQuery,
  answer: ScanPage,
  read: ({ db, site, query }) => listScans(db, site, query),
  present: presentScan,
});

const read = operation({
  id: 'getScan',
  method: 'GET',
  path: '/seo/scans/:id',
  summary: 'Read a scan',
  description: 'Poll it, or subscribe to `seo_scan.finished`. What it found is in `GET /seo/findings`.',
  access: reading,
  example: { data: finishedScanExample },
  answers: { 200: ScanShape },
  async handle({ db, site, params }) {
    return ok(presentScan(await getScan(db, site.id, params.id)));
  },
});

const cancel = operation({
  id: 'cancelScan',
  method: 'POST',
  path: '/seo/scans/:id/cancel',
  summary: 'Cancel a scan at its next unit boundary',
  description:
    'The unit in progress ends and is charged. Another scan can take what is left. A scan that has ended is 409.',
  access: { ...running, rateClass: 'write' },
  example: { data: cancelledScanExample },
  answers: { 200: ScanShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, now }) {
    return ok(presentScan(await cancelScan({ tx, site, actor, now }, params.id)));
  },
});

export const scanOperations = [...starts, list, read, cancel];
