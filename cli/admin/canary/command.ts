import { Option } from 'commander';
import type { Command } from 'commander';
import { homeFolder, readRunFile } from '../../../runtime/home.ts';
import { readSettings } from '../../../runtime/settings.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { print } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { ApiClient } from '../../../packages/command/api-client.ts';
import { printLine } from '../../../packages/command/io.ts';
import type { Io } from '../../../packages/command/io.ts';
import * as options from '../../../packages/command/options.ts';
import { UsageError } from '../../../packages/command/usage.ts';
import { listenForDeliveries } from './receiver.ts';
import { runCanary } from './run.ts';

interface CanaryArguments {
  readonly key: string;
  readonly baseUrl?: string;
  readonly receiver?: string;
  readonly listen?: string;
  readonly timeout: number;
}

/** While the API restarts. */
const PATIENCE_MS = 5_000;

/** Publishes, delivers and deletes an article through the API. Prints its findings; exit code 1 if anything failed. */
export function canary(command: Command, _operator: Operator, io: Io): void {
  command
    .addOption(options.key().default(io.env['CANARY_KEY'] || undefined, 'CANARY_KEY'))
    .addOption(
      options.httpUrl('base-url', 'URL of the API; the default is PUBLIC_URL with /v1, or that of npm start'),
    )
    .addOption(
      options.httpUrl(
        'receiver',
        'address that answers 2xx, to which the article is delivered; the default is CANARY_RECEIVER',
        'https://example.com/receiver',
      ),
    )
    .addOption(
      new Option(
        '--listen <host:port>',
        'receive it here instead; WEBHOOK_ALLOWED_HOSTS of the service has to name this address',
      ),
    )
    .addOption(
      options
        .number('timeout', 'seconds until it must be delivered', { minimum: 1, maximum: 600 })
        .default(60),
    )
    .action((given) => checkService(given, io));
}

async function checkService(given: CanaryArguments, io: Io): Promise<void> {
  const settings = readSettings(io.env);
  const { key, baseUrl = defaultBaseUrl(settings, io), listen, timeout } = given;
  const { receiver = settings.CANARY_RECEIVER } = given;
  if ((receiver === undefined) === (listen === undefined))
    throw new UsageError('Give either --receiver, or --listen.');
  const to = receiver ?? (await openReceiver(listen ?? ''));
  try {
    const say = (message: string): void => printLine(io.stderr, message);
    const findings = await runCanary({
      client: (signal) => new ApiClient({ baseUrl, key, signal, say, patienceMs: PATIENCE_MS }),
      to,
      withinMs: timeout * 1_000,
    });
    print(io, findings);
    if (!findings.ok) throw new Error(`The canary failed at ${findings.failed}: ${findings.reason}`);
  } finally {
    if (typeof to !== 'string') to.close();
  }
}

function defaultBaseUrl({ PUBLIC_URL: origin }: Settings, { env }: Io): string {
  const url =
    origin === undefined ? readRunFile(homeFolder(env))?.base_url : `${origin.replace(/\/+$/, '')}/v1`;
  if (url === undefined) throw new UsageError('Give --base-url, or set PUBLIC_URL.');
  return url;
}

function openReceiver(address: string) {
  const [, host, port] = /^([^\s:]+):(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError('--listen: must be host:port, such as 127.0.0.1:8999.');
  return listenForDeliveries(host, Number(port));
}
