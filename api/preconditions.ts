import { invalidRequest, ServiceError } from '../domain/errors.ts';

/** @throws ServiceError PRECONDITION_FAILED where the client's version is not this one */
export type VersionCondition = (version: number) => void;

/** What is between the quotes of an entity tag: a number, or letters, digits and hyphens. */
export type Version = number | string;

/** The weak tag of a row's version (specification, Conventions). */
export const etagOf = (version: Version): string => `W/"${version}"`;

const entityTag = /\s*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/gy;

/**
 * Reads `If-Match`: `W/"3"`, `"3"`, lists and `*` (decisions 4). Weak and strong count as the same, since the
 * service only ever gives weak ones.
 *
 * @throws ServiceError INVALID_REQUEST for a header that is no list of entity tags
 */
export function readIfMatch(header: string | undefined): VersionCondition {
  if (header === undefined || header.trim() === '*') return () => {};
  const tags = parseTags(header);
  if (tags === null) {
    throw invalidRequest('If-Match: must be * or entity tags such as W/"3", separated by commas.');
  }
  return (version) => {
    if (tags.includes(`"${version}"`)) return;
    throw new ServiceError(
      'PRECONDITION_FAILED',
      `If-Match names another version than the current one, ${etagOf(version)}. Nothing was written: read it again and repeat your change.`,
    );
  };
}

/** Whether `If-None-Match` names the version, so that 304 says enough. A header that cannot be read names none. */
export function matchesNone(header: string | undefined, version: Version): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (parseTags(header)?.includes(`"${version}"`) ?? false);
}

/** The opaque parts, quotes included, or null where the header is not a list of entity tags. */
function parseTags(header: string): string[] | null {
  const matches = [...header.matchAll(entityTag)];
  const length = matches.reduce((sum, [text]) => sum + text.length, 0);
  if (matches.length === 0 || length !== header.length) return null;
  return matches.map((match) => (match[1] as string).replace(/^W\//, ''));
}
