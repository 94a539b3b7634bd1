import { Command, Option } from 'commander';
import { eventNames } from '../../domain/events/catalogue.ts';
import { homeFolder, readRunFile } from '../../runtime/home.ts';
import type { Io } from '../../packages/command/io.ts';
import * as options from '../../packages/command/options.ts';
import type { ListenOptions } from './listen.ts';

const LOCAL_RECEIVER = 'http://localhost:4000/webhooks';
const DEFAULT_BASE_URL = 'http://127.0.0.1:3000/v1';

/** Posts the events of a Site to a local URL in the form of deliveries, for the development of a receiver. */
export function listenCommand(io: Io): Command {
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
    .addOption(options.eventList(eventNames))
    .addOption(options.time('since', 'events since this time; the default is now'))
    .action(async (given: Omit<ListenOptions, 'baseUrl'> & { readonly baseUrl?: string }) => {
      const { listen } = await import('./listen.ts');
      const baseUrl = given.baseUrl ?? readRunFile(homeFolder(io.env))?.base_url ?? DEFAULT_BASE_URL;
      await listen({ ...given, baseUrl }, io);
    });
}
