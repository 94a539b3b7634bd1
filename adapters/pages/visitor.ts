import { NoPermit } from '../../runtime/fair-semaphore.ts';
import { JobTooLarge, JobUnfinished } from '../jobs/helper-process.ts';
import type { Backlinks, Page } from './jobs.ts';
import type { PageToRead } from './read-page.ts';
import { RobotsFiles } from './robots-files.ts';
import type { PageJobs } from './robots-files.ts';
import { readSitemaps } from './sitemaps.ts';
import type { SitemapPages } from './sitemaps.ts';
import { unread } from './unread.ts';
import { TooBusy, visit } from './visit.ts';
import type { Visit, VisitOptions, VisitPorts } from './visit.ts';

type Answered = Extract<Visit, { outcome: 'answered' }>;

/** Visits pages of other hosts politely, and reads them apart from the event loop. */
export interface PageVisitor {
  /** Visits an address and follows its redirects. @throws TooBusy if it should be tried later */
  visit(url: string, options: VisitOptions): Promise<Visit>;
  /** The facts of a page; null if it is not HTML, cannot be read, or is not read in time. @throws TooBusy */
  read(answer: Answered, options: VisitOptions): Promise<Page | null>;
  /** The links of a page to some targets; null like `read`. @throws TooBusy */
  readLinks(answer: Answered, targets: readonly string[], options: VisitOptions): Promise<Backlinks | null>;
  /** Addresses in the sitemaps of an origin, in a bounded number. @throws TooBusy if it should be tried later */
  sitemapPages(origin: string, options: VisitOptions): Promise<SitemapPages>;
}

export function createPageVisitor(ports: VisitPorts, processes: PageJobs): PageVisitor {
  const jobs = withOutcomes(processes);
  const robots = new RobotsFiles(ports, jobs);
  const visitor: Omit<PageVisitor, 'sitemapPages'> = {
    visit: (url, options) => visit(ports, (target) => robots.allows(target, options), url, options),
    async read(answer, { siteId, signal }) {
      const page = htmlOf(answer);
      return page && jobs.readPage(siteId, page, signal);
    },
    async readLinks(answer, targets, { siteId, signal }) {
      const page = htmlOf(answer);
      return page && jobs.readLinks(siteId, { page, targets }, signal);
    },
  };
  return {
    ...visitor,
    sitemapPages: (origin, options) =>
      readSitemaps(
        {
          named: () => robots.sitemaps(new URL(origin), options),
          fetch: (url) => visitor.visit(url, { ...options, read: true }),
          read: (bytes) => jobs.readSitemap(options.siteId, { bytes, origin }, options.signal),
        },
        origin,
      ),
  };
}

/** A job that a busy machine did not do should be tried later, like a visit without a turn; one that is too large reads nothing. */
const withOutcomes = (jobs: PageJobs): PageJobs => ({
  mayVisit: (...job) => outcome(jobs.mayVisit(...job), unread.mayVisit),
  sitemapsOf: (...job) => outcome(jobs.sitemapsOf(...job), unread.sitemapsOf),
  readPage: (...job) => outcome(jobs.readPage(...job), unread.readPage),
  readLinks: (...job) => outcome(jobs.readLinks(...job), unread.readLinks),
  readSitemap: (...job) => outcome(jobs.readSitemap(...job), unread.readSitemap),
});

const outcome = <Read>(reading: Promise<Read>, otherwise: Read): Promise<Read> =>
  reading.catch((error: unknown) => {
    if (error instanceof JobTooLarge) return otherwise;
    const isBusy = error instanceof NoPermit || error instanceof JobUnfinished;
    throw isBusy ? new TooBusy(error.message) : error;
  });

/** The part of an answer that is read; null if it is no page of HTML. */
function htmlOf(answer: Answered): PageToRead | null {
  const { url, headers, body: bytes } = answer;
  if (!isHtml(answer)) return null;
  return { bytes, url, contentType: typeOf(answer), robotsTag: headers['x-robots-tag'] ?? '' };
}

/** Whether an answer says that it is a page, and no file. */
export const isHtml = (answer: Pick<Answered, 'headers'>): boolean =>
  ['text/html', 'application/xhtml+xml'].includes(
    typeOf(answer).split(';', 1)[0]?.trim().toLowerCase() ?? '',
  );

const typeOf = ({ headers }: Pick<Answered, 'headers'>): string => headers['content-type'] ?? 'text/html';
