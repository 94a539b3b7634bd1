import { Presswork } from '../../sdk/src/index.ts';
import { noteRefusal } from '../session/proof.ts';
import { setSessionEnded } from '../session/ended.ts';
import { own, request } from '../session/request.ts';

/** One client for each Site, because the cookie with the key belongs to its path. */
const clients = new Map<string, Presswork>();

export function clientOf(siteId: string): Presswork {
  const known = clients.get(siteId);
  if (known !== undefined) return known;
  const client = new Presswork({
    baseUrl: `${location.origin}/dashboard/${encodeURIComponent(siteId)}/v1`,
    maxRetries: 2,
    maxElapsedMs: 15_000,
    fetch: (input, init) => send(siteId, input, init),
  });
  clients.set(siteId, client);
  return client;
}

/** The Sites that have been opened since this page was loaded. */
const opened = new Set<string>();

/** Sends a request. Opens the Site before the first one, and when its key has ended. */
async function send(siteId: string, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(own())) headers.set(name, value);
  if (!opened.has(siteId) && (await open(siteId))) opened.add(siteId);
  // An ETag names the version that a change is made on. Counters in the body, such as failed deliveries, are not part of it.
  const attempt = (): Promise<Response> => fetch(input, { ...init, headers, cache: 'no-store' });
  const answer = await attempt();
  noteRefusal(answer);
  if (answer.status !== 401) return answer;
  return (await open(siteId)) ? attempt() : answer;
}

const opening = new Map<string, Promise<boolean>>();

/** Requests that find the key gone at the same time open the Site together. @returns whether it is open now */
function open(siteId: string): Promise<boolean> {
  const running = opening.get(siteId);
  if (running !== undefined) return running;
  const started = request('POST', `/sites/${siteId}/open`)
    .then(
      () => true,
      (error: { status?: number }) => {
        if (error.status === 401) setSessionEnded(true);
        return false;
      },
    )
    .finally(() => opening.delete(siteId));
  opening.set(siteId, started);
  return started;
}
