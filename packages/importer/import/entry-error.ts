import { isRejection } from '../../command/api-client.ts';
import type { Reason } from './entry.ts';

/** An entry that cannot be imported, because of its content. */
export class EntryError extends Error {
  override name = 'EntryError';
  readonly reasons: readonly Reason[];

  constructor(reasons: readonly Reason[]) {
    super(reasons.map(({ field, message }) => `${field}: ${message}`).join('\n'));
    this.reasons = reasons;
  }

  /** The error of an object that this member of the entry refers to. */
  about(field: string): EntryError {
    return new EntryError(
      this.reasons.map((reason) => ({
        field,
        message: `cannot be created: ${reason.field}: ${reason.message}`,
      })),
    );
  }
}

/** Names of the API's members in the file. */
const inFile: readonly (readonly [RegExp, string])[] = [
  [/^featured_image_url$/, 'featured_image.url'],
  [/^(author|category|format)_id$/, '$1'],
  [/^tag_ids/, 'tags'],
];

/** Converts a rejection of the API, with the names of the members in the file; any other error stays as it is. */
export function entryErrorOf(error: unknown): unknown {
  if (!isRejection(error)) return error;
  const { code, message, fields } = error;
  const named = Object.entries(fields).map(([name, reason]) => ({
    field: inFile.reduce((field, [pattern, name]) => field.replace(pattern, name), name),
    message: reason,
  }));
  if (named.length > 0) return new EntryError(named);
  return new EntryError([{ field: code === 'SLUG_CONFLICT' ? 'slug' : '', message }]);
}

/** @throws EntryError if the API rejects the request */
export async function asEntry<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw entryErrorOf(error);
  }
}
