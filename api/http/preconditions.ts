import { hash } from 'node:crypto';
import { invalidRequest, ServiceError } from '../../domain/kernel/errors.ts';

/**
 * @param version of the object; null if it does not exist yet, which matches no tag
 * @param options.goesOn whether the object's tags go on after the version with a hyphen and the version of what else the
 *   answer shows, which is not compared
 * @param options.alias another tag of the same version
 * @returns whether the client named this version: not if it sent no tag, or `*`
 * @throws ServiceError PRECONDITION_FAILED if the client's version is not this one
 */
export type VersionCondition = (
  version: Version | null,
  options?: { readonly goesOn?: boolean; readonly alias?: Version },
) => boolean;

/** The text between the quotes of an entity tag: a number, or letters, digits and hyphens. */
export type Version = number | string;

/** The weak entity tag of a version (docs/spec/service-api.md, Conventions). */
export const etagOf = (version: Version): string => `W/"${version}"`;

/** The version of an object without a version number: a hash of the body. */
export const versionOfBody = (body: string | Uint8Array): string =>
  hash('sha256', body, 'base64url').slice(0, 22);

const entityTag = /\s*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/gy;

/**
 * Reads `If-Match`: `W/"3"`, `"3"`, lists and `*` (docs/spec/rulings.md, 4). Weak and strong tags are treated alike,
 * since the service only issues weak ones.
 *
 * @throws ServiceError INVALID_REQUEST if the header is not a list of entity tags
 */
export function readIfMatch(header: string | undefined): VersionCondition {
  if (header === undefined) return () => false;
  const tags = header.trim() === '*' ? ['*'] : parseTags(header);
  if (tags === null) {
    throw invalidRequest('If-Match: must be * or entity tags such as W/"3", separated by commas.');
  }
  return (version, { goesOn = false, alias } = {}) => {
    if (version === null) {
      throw new ServiceError(
        'PRECONDITION_FAILED',
        'If-Match: there is nothing yet that it could match, so nothing was written. Leave it out to begin.',
      );
    }
    const isCurrent = (tag: string): boolean =>
      tag === '*' ||
      tag === `"${version}"` ||
      tag === `"${alias}"` ||
      (goesOn && tag.startsWith(`"${version}-`));
    if (tags.some(isCurrent)) return tags[0] !== '*';
    throw new ServiceError(
      'PRECONDITION_FAILED',
      `If-Match: must be the current version, ${etagOf(version)}; nothing was written. Read the object again and repeat your change.`,
    );
  };
}

/** Whether `If-None-Match` names the version, so that the answer is 304. A malformed header names none. */
export function matchesNone(header: string | undefined, version: Version): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (parseTags(header)?.includes(`"${version}"`) ?? false);
}

/** What proxies that compress append to a tag: Apache has `W/"3-gzip"`. */
const compressed = /-(?:gzip|br|zstd|deflate)"$/;

/** The opaque tags, including the quotes; null if the header is not a list of entity tags. */
function parseTags(header: string): string[] | null {
  const matches = [...header.matchAll(entityTag)];
  const length = matches.reduce((sum, [text]) => sum + text.length, 0);
  if (matches.length === 0 || length !== header.length) return null;
  return matches.flatMap((match) => {
    const tag = (match[1] as string).replace(/^W\//, '');
    return compressed.test(tag) ? [tag, tag.replace(compressed, '"')] : [tag];
  });
}
