import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { homeFolder, readRunFile } from '../runtime/home.ts';
import { generateSigningSecret } from '../domain/webhooks/signing-secret.ts';
import { createGuardedClient } from '../adapters/http/guarded-client.ts';
import type { GuardedClient, GuardedResult } from '../adapters/http/guarded-client.ts';
import { webhookRequest } from '../adapters/http/webhook-request.ts';
import type { Event } from '../sdk/src/index.ts';
import { ApiClient } from './api-client.ts';
import { EventFeed } from './event-feed.ts';
import * as options from './options.ts';

const LOCAL_RECEIVER = 'http://localhost:4000/webhooks';
const DEFAULT_BASE_URL = 'http://127.0.0.1:3000/v1';
const POLL_MS = 1_000;

interface ListenOptions {
  readonly forwardTo: string;
  readonly key: string;
  readonly baseUrl?: string;
  readonly secret?: string;
  readonly events?: readonly string[];
  readonly since?: Date;
}

/** Posts the events of a Site to a local URL in the form of deliveries, for the development of a receiver. */
export function listenCommand(): Command {
  return new Command('listen')
    .description('post the events of a Site to a local URL, signed like deliveries')
    .addOption(
      options
        .httpUrl('forward-to', 'URL to which each event is posted', LOCAL_RECEIVER)
        .makeOptionMandatory(),
    )
    .addOption(options.key())
    .addOption(
      options.httpUrl('base-url', `URL of the API; the default is that of npm start, or ${DEFAULT_BASE_URL}`),
    )
    .addOption(new Option('--secret <secret>', 'signing secret; by default one is generated and shown'))
    .addOption(options.eventList())
    .addOption(options.since('events since this time; the default is now'))
    .action(listen);
}

async function listen(given: ListenOptions): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const http = createGuardedClient();
  stop.signal.addEventListener('abort', () => void http.close());
  try {
    await follow(given, http, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
  }
}

async function follow(given: ListenOptions, http: GuardedClient, signal: AbortSignal): Promise<void> {
  const { key, forwardTo, events, since } = given;
  const baseUrl = given.baseUrl ?? readRunFile(homeFolder())?.base_url ?? DEFAULT_BASE_URL;
  const client = new ApiClient({ baseUrl, key, signal, say: (message) => console.error(message) });
  const feed = await EventFeed.open(client, since);
  const secret = given.secret ?? generateSigningSecret();
  if (given.secret === undefined) console.log(`Signing secret: ${secret}`);
  console.log(`Forwarding events of ${baseUrl} to ${forwardTo}. Press Ctrl-C to stop.`);
  for (;;) {
    for (const event of await feed.next()) {
      if (events !== undefined && !events.includes(event.event)) continue;
      const result = await forward(http, forwardTo, event, secret);
      signal.throwIfAborted();
      console.log(lineOf(event, result));
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
