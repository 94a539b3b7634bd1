import type { IncomingHttpHeaders } from 'node:http';

/** Headers of a response by their names in lower case, each as one text. */
export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

/** Headers with one value (RFC 9110, 5.3). Of several, the first counts, as in Node's own client. */
const single = new Set([
  'age',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
]);

/** Headers whose values would mean something else in one list; a line break separates them, which none contains. */
const apart = new Set(['set-cookie', 'x-robots-tag']);

/** Makes one text of each header, which may have been sent several times. */
export const oneTextEach = (headers: IncomingHttpHeaders): ResponseHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? oneText(name, value) : value,
    ]),
  );

function oneText(name: string, values: readonly string[]): string | undefined {
  if (single.has(name)) return values[0];
  return values.join(apart.has(name) ? '\n' : ', ');
}
