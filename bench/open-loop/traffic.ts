import type { Blog } from './blogs.ts';
import type { DeepPages } from './deep-pages.ts';
import type { Mix, Planned } from './mix.ts';
import { anyOf, byShare, createRandom } from './random.ts';
import { createReads } from './reads.ts';
import { createWrites } from './writes.ts';

/**
 * Mixed traffic: nine reads in ten, as many of them by publishable keys as by secret ones, and the writes of people at
 * work. It can go on for as long as it likes: what is published is taken back, and of what is created some is deleted.
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
