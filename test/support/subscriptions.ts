import { eventBodies } from '../../api/resources/webhooks/event-bodies.ts';
import type { TestApi } from './api.ts';
import type { Tenant } from './builders.ts';

/** Requests of a Site whose endpoint subscribes to events. */
export function subscriptionsOf(api: TestApi, { secretKey: key }: Pick<Tenant, 'secretKey'>) {
  const must = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await api.request(method, path, { key, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  return {
    must,
    subscribe: (...events: readonly string[]): Promise<any> =>
      must('POST', '/webhooks', { url: 'https://receiver.example/hooks', events }),
    /** What was recorded, oldest first, each in its declared shape. */
    async recorded(...only: readonly string[]): Promise<any[]> {
      const { items } = await must('GET', '/events?limit=100');
      const asked = items.filter(({ event }: any) => only.length === 0 || only.includes(event));
      for (const event of asked) eventBodies[event.event]?.parse(event);
      return asked.toReversed();
    },
  };
}
