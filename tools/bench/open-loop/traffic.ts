import type { Blog } from './blogs.ts';
import type { DeepPages } from './deep-pages.ts';
import type { Mix, Planned } from './mix.ts';
import { anyOf, byShare, createRandom } from './random.ts';
import { createReads } from './reads.ts';
import { createWrites } from './writes.ts';

/**
 * Mixed traffic: nine of ten requests are reads, half of them by publishable keys; the writes are those of people at
 * work. It can run for any time: published articles are unpublished again, and some of the created ones are deleted.
 */
export function createTraffic(blogs: readonly Blog[], deep: DeepPages): () => Planned {
  const random = createRandom();
  const mix: Mix = {
    blogs,
    deep,
    random,
    blog: byShare(blogs),
    send(blog, method, path, { publishable = false, body, idempotencyKey } = {}) {
      const key = anyOf(publishable ? blog.publishable : blog.keys, random);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      return { method, path: `/v1${path}`, headers, ...(body && { body: JSON.stringify(body) }) };
    },
  };
  const next = byShare([...createReads(mix), ...createWrites(mix)]);
  return () => {
    for (;;) {
      const { name, kind, next: plan } = next();
      const sent = plan();
      if (sent !== null) return { operation: name, kind, ...sent };
    }
  };
}
