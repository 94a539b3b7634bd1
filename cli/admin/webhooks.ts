import { Option } from 'commander';
import type { Command } from 'commander';
import type { Database } from '../../db/database.ts';
import { eventNames } from '../../domain/events/catalogue.ts';
import type { ReplayPosition, ReplayRange } from '../../domain/webhooks/redelivery.ts';
import {
  enableEndpoint,
  listForSupport,
  pauseEndpoint,
  redeliverEvent,
  replayBatch,
} from '../../domain/webhooks/support.ts';
import * as options from './options.ts';
import type { Operator } from './operator.ts';

const LIST_LIMIT = 1_000;

/**
 * Commands for the support of webhook endpoints. Workers are notified at once, even if the endpoint's workflow is lost.
 */
export function webhooks(webhook: Command, { onDatabase }: Operator): void {
  webhook
    .command('list')
    .description('list endpoints of all Sites, with their pending deliveries')
    .addOption(options.optionalId('site', 'only of this Site'))
    .addOption(options.optionalId('org', 'only of this organisation'))
    .addOption(new Option('--paused', 'only paused ones'))
    .addOption(options.time('disabled-since', 'only those disabled by failures at this time or later'))
    .addOption(options.number('limit', 'maximum number', { minimum: 1, maximum: 10_000 }).default(LIST_LIMIT))
    .action(({ limit, ...filter }) =>
      onDatabase(async (db) => {
        const found = await listForSupport(db, filter, limit + 1);
        return { endpoints: found.slice(0, limit), more: found.length > limit };
      }),
    );
  for (const verb of ['pause', 'resume'] as const)
    webhook
      .command(verb)
      .description(verb === 'pause' ? 'pause deliveries; events are kept' : 'resume deliveries')
      .addOption(options.id('endpoint', 'webhook endpoint'))
      .action(({ endpoint }) =>
        onDatabase(async (db) => {
          const paused = verb === 'pause';
          await db.transaction((tx) => pauseEndpoint(tx, endpoint, paused, new Date()));
          return { id: endpoint, paused };
        }),
      );
  webhook
    .command('redeliver')
    .description('redeliver one event, starting at attempt 1')
    .addOption(options.id('endpoint', 'webhook endpoint'))
    .addOption(options.id('event', 'event'))
    .action(({ endpoint, event }) =>
      onDatabase(async (db) => {
        await db.transaction((tx) => redeliverEvent(tx, endpoint, event, new Date()));
        return { id: endpoint, event_id: event };
      }),
    );
  webhook
    .command('replay')
    .description('redeliver events that did not arrive')
    .addOption(options.id('endpoint', 'webhook endpoint'))
    .addOption(options.time('since', 'events at this time or later').makeOptionMandatory())
    .addOption(options.time('until', 'events before this time; the default is now'))
    .addOption(options.eventList(eventNames))
    .action(({ endpoint, since: from, until, events }) =>
      onDatabase(async (db) => ({
        id: endpoint,
        events: await replayAll(db, endpoint, { since: from, until, events }),
      })),
    );
  webhook
    .command('enable')
    .description('enable one endpoint, or all that were disabled by failures since a time')
    .addOption(options.optionalId('endpoint', 'webhook endpoint'))
    .addOption(options.time('disabled-since', 'those disabled by failures at this time or later'))
    .addOption(options.optionalId('site', 'with --disabled-since, only those of this Site'))
    .addOption(options.optionalId('org', 'with --disabled-since, only those of this organisation'))
    .addOption(options.time('replay-since', 'also redeliver events since this time that did not arrive'))
    .action(({ endpoint, replaySince, ...filter }, command: Command) => {
      if ((endpoint === undefined) === (filter.disabledSince === undefined))
        command.error('error: give either --endpoint, or --disabled-since', {
          exitCode: 2,
        });
      return onDatabase(async (db) => {
        const ids = endpoint === undefined ? await disabledOnes(db, filter) : [endpoint];
        const endpoints = [];
        for (const id of ids) {
          await db.transaction((tx) => enableEndpoint(tx, id, new Date()));
          const events = replaySince === undefined ? 0 : await replayAll(db, id, { since: replaySince });
          endpoints.push({ id, events });
        }
        return { endpoints };
      });
    });
}

const disabledOnes = async (db: Database, filter: Parameters<typeof listForSupport>[1]): Promise<string[]> =>
  (await listForSupport(db, filter, 1_000_000)).map(({ id }) => id);

/** Replays in batches, so that each transaction is short. @returns the number of events */
async function replayAll(db: Database, id: string, asked: ReplayRange): Promise<number> {
  // Events from now on are delivered anyway.
  const range = { ...asked, until: asked.until ?? new Date() };
  let total = 0;
  let after: ReplayPosition | undefined;
  do {
    const position = after;
    const batch = await db.transaction((tx) => replayBatch(tx, id, range, position, new Date()));
    total += batch.queued;
    after = batch.next ?? undefined;
  } while (after !== undefined);
  return total;
}
