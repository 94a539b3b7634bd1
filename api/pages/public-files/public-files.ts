import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { findPublicSite } from '../../../domain/delivery/public-site.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import { portsOf } from '../../framework/ports.ts';
import type { Ports } from '../../framework/ports.ts';
import { etagOf, matchesNone } from '../../http/preconditions.ts';
import type { PublicFile } from './file.ts';
import { publicFile } from './file.ts';
import { KeptFiles } from './kept-files.ts';

const form = /^\/public\/([^/]+)\/(.+)$/;

/** Whether a path is one of a public file, whatever Site it names. */
export function isPublicFile(path: string): boolean {
  const [, , file] = form.exec(path) ?? [];
  return file !== undefined && publicFile(file, '') !== null;
}

const CACHE_CONTROL = 'public, max-age=60, s-maxage=86400, stale-while-revalidate=600';

/**
 * Serves the feeds, the sitemap and the texts for robots of every Site, without a key (docs/spec/rulings.md, 20).
 *
 * Each request asks the database for the version of what is public about the Site. The file itself is made once for a
 * version; a client that has this version gets 304, for which nothing is made (api/pages/public-files/README.md).
 */
export function publicFiles(ports: Ports, count: CountKeylessAnswer): Middleware {
  const kept = new KeptFiles();
  return async (ctx, next) => {
    const [, folder, path] = form.exec(ctx.path) ?? [];
    if (folder === undefined || path === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    const file = publicFile(path, `${ports.publicUrl}/public/${folder}`);
    if (file === null) return next();
    ctx.state.measuredAs = 'public_file';
    count(ctx);
    const site = (await findPublicSite(ports.db, folder)) ?? noSuchFile();
    const etagAt = (version: string): string =>
      hash('sha256', `${version} ${ports.publicUrl} ${path}`, 'base64url').slice(0, 22);
    const known = ctx.get('If-None-Match');
    /** Answers 304 if the client has this version. */
    const isKnown = (shown: string): boolean => {
      if (known === '' || !matchesNone(known, etagAt(shown))) return false;
      setHeaders(ctx, file, site.id, etagAt(shown));
      ctx.status = 304;
      return true;
    };
    // `*` matches any file, but it is not known yet whether there is one.
    if (known.trim() !== '*' && isKnown(site.version)) return;
    const own = portsOf(ports, { id: site.id, organisationId: site.organisation_id });
    const made = (await kept.read(site, path, () => file.make(own, site))) ?? noSuchFile();
    const shown = made.isIncomplete ? `${made.version} incomplete` : made.version;
    if (isKnown(shown)) return;
    setHeaders(ctx, file, site.id, etagAt(shown));
    ctx.type = `${file.type}; charset=utf-8`;
    ctx.body = made.bytes;
  };
}

function setHeaders({ res }: Context, file: PublicFile, siteId: string, version: string): void {
  const keys = file.keys(siteId);
  res.setHeader('ETag', etagOf(version));
  res.setHeader('Cache-Control', CACHE_CONTROL);
  res.setHeader('Surrogate-Key', keys.join(' '));
  res.setHeader('Cache-Tag', keys.join(','));
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** @throws ServiceError NOT_FOUND */
function noSuchFile(): never {
  throw new ServiceError('NOT_FOUND', 'There is no such Site, category, tag or author.');
}
