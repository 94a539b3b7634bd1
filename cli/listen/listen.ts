import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSigningSecret } from '../../domain/webhooks/signing-secret.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import type { GuardedClient, GuardedResult } from '../../adapters/http/guarded-client.ts';
import { webhookRequest } from '../../adapters/http/webhook-request.ts';
import type { Event } from '../../sdk/src/index.ts';
import { ApiClient } from '../../packages/command/api-client.ts';
import { printLine } from '../../packages/command/io.ts';
import type { Io } from '../../packages/command/io.ts';
import { EventFeed } from './event-feed.ts';

const POLL_MS = 1_000;

export interface ListenOptions {
  readonly forwardTo: string;
  readonly key: string;
  readonly baseUrl: string;
  readonly secret?: string;
  readonly events?: readonly string[];
  readonly since?: Date;
}

/** Posts the events of a Site until it is interrupted. */
export async function listen(given: ListenOptions, io: Io): Promise<void> {
  const stop = new AbortController();
  io.onInterrupt(() => stop.abort());
  const http = createGuardedClient();
  stop.signal.addEventListener('abort', () => void http.close());
  try {
    await follow(given, io, http, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
  }
}

async function follow(given: ListenOptions, io: Io, http: GuardedClient, signal: AbortSignal): Promise<void> {
  const { key, baseUrl, forwardTo, events, since } = given;
  const print = (line: string): void => printLine(io.stdout, line);
  const say = (message: string): void => printLine(io.stderr, message);
  const client = new ApiClient({ baseUrl, key, signal, say });
  const feed = await EventFeed.open(client, since);
  const secret = given.secret ?? generateSigningSecret();
  if (given.secret === undefined) print(`Signing secret: ${secret}`);
  print(`Forwarding events of ${baseUrl} to ${forwardTo}. Press Ctrl-C to stop.`);
  for (;;) {
    for (const event of await feed.next()) {
      if (events !== undefined && !events.includes(event.event)) continue;
      const result = await forward(http, forwardTo, event, secret);
      signal.throwIfAborted();
      print(lineOf(event, result));
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Makes one delivery attempt. Serializing the parsed event again gives the same bytes as its delivery. */
function forward(http: GuardedClient, url: string, event: Event, secret: string): Promise<GuardedResult> {
  const request = webhookRequest({
    url,
    body: JSON.stringify(event),
    event: event.event,
    eventId: event.id,
    id: randomUUID(),
    attempt: 1,
    at: new Date(),
    secret,
  });
  return http.request({ ...request, isolationKey: 'listen', trusted: true });
}

function lineOf({ id, event, created_at: time }: Event, result: GuardedResult): string {
  const outcome =
    result.outcome === 'response' ? String(result.status) : `failed: ${result.error} (${result.detail})`;
  return `${time}  ${event}  ${id}  ${outcome}  ${result.durationMs} ms`;
}
