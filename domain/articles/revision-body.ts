import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { writtenMembers } from './row.ts';
import type { Article, WrittenMember } from './row.ts';

/** How many revisions of an article are kept (docs/spec/rulings.md, 15). */
export const KEPT_REVISIONS = 100;

/** The members that taxonomy may take from an article without a revision. A revision has columns for them. */
const referring = ['category_id', 'author_id', 'tag_ids'] as const;

type Referring = (typeof referring)[number];
type Kept = Exclude<WrittenMember, Referring>;

const keptMembers = writtenMembers.filter((name): name is Kept => !referring.includes(name as Referring));

/** The members that the body of a revision has. */
export type KeptMembers = Pick<Article, Kept>;

/** Up to this size, handing a body to another thread takes several times as long as compressing it. */
const SMALL_BODY = 32_768;

// Larger bodies are compressed on a thread of their own: an article may have megabytes.
const compressed = promisify(zstdCompress);
const decompressed = promisify(zstdDecompress);

/**
 * The members that a revision keeps, as JSON. Names inside are sorted, because the database returns them in another
 * order than they were sent in, and the same values have to give the same bytes.
 */
export const serialized = (article: KeptMembers): Buffer =>
  Buffer.from(JSON.stringify(Object.fromEntries(keptMembers.map((name) => [name, article[name]])), sorted));

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    : value;

export const digestOf = (body: Buffer): Buffer => hash('sha256', body, 'buffer');

/** Compresses a body. @param base a similar body, without which the result cannot be read */
export async function compress(body: Buffer, base?: Buffer): Promise<Buffer> {
  const options = { pledgedSrcSize: body.length, ...(base && { dictionary: base }) };
  if (Math.max(body.length, base?.length ?? 0) > SMALL_BODY) return compressed(body, options);
  // Node allocates a whole chunk for each result, 128 KB by default, which makes it collect garbage early.
  return zstdCompressSync(body, { ...options, chunkSize: body.length + 1_024 });
}

/** A stored body. */
export interface StoredBody {
  readonly digest: Buffer;
  /** Whether it can be read on its own; else it is the difference to that of the revision before. */
  readonly whole: boolean;
  readonly body: Buffer;
}

/**
 * Decompresses a body.
 *
 * @param former the decompressed body of the revision before; a whole one does not need it
 * @throws Error if the result is not the stored one
 */
export async function decompress({ digest, whole, body }: StoredBody, former?: Buffer): Promise<Buffer> {
  const read = await decompressed(body, whole || former === undefined ? {} : { dictionary: former });
  if (!digestOf(read).equals(digest)) throw new Error('A revision is not what was stored');
  return read;
}

/**
 * Reads the last of some bodies.
 *
 * @param bodies of consecutive revisions, oldest first; the first one is whole
 * @throws Error if a body is not the stored one
 */
export async function readLast(bodies: readonly StoredBody[]): Promise<KeptMembers> {
  let read: Buffer | undefined;
  for (const stored of bodies) read = await decompress(stored, read);
  if (read === undefined) throw new Error('There is no revision to read');
  const values = JSON.parse(read.toString()) as Partial<KeptMembers>;
  // A member that is newer than the revision is empty.
  return Object.fromEntries(keptMembers.map((name) => [name, values[name] ?? null])) as KeptMembers;
}
