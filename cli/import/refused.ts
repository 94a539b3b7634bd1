import type { ApiRefusal } from '../api-client.ts';
import type { Reason } from './entry.ts';

/** An entry cannot go in, for a reason that lies in the entry. */
export class Refused extends Error {
  override name = 'Refused';
  readonly reasons: readonly Reason[];

  constructor(reasons: readonly Reason[]) {
    super(reasons.map(({ field, message }) => `${field}: ${message}`).join('\n'));
    this.reasons = reasons;
  }

  /** The same of something that a member of an entry refers to. */
  about(field: string): Refused {
    return new Refused(
      this.reasons.map((reason) => ({
        field,
        message: `cannot be created: ${reason.field}: ${reason.message}`,
      })),
    );
  }
}

/** Members of the API by what the file calls them. */
const inFile: readonly (readonly [RegExp, string])[] = [
  [/^featured_image_url$/, 'featured_image.url'],
  [/^(author|category|format)_id$/, '$1'],
  [/^tag_ids/, 'tags'],
];

/** What the API said, of the members of an entry. */
export function refusedBy(error: ApiRefusal | undefined): Refused {
  const { code = '', message = 'The API gave no reason.', fields = {} } = error ?? {};
  const named = Object.entries(fields).map(([name, reason]) => ({
    field: inFile.reduce((field, [pattern, name]) => field.replace(pattern, name), name),
    message: reason,
  }));
  if (named.length > 0) return new Refused(named);
  return new Refused([{ field: code === 'SLUG_CONFLICT' ? 'slug' : '', message }]);
}
