import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GuardedClient } from '../../../adapters/http/guarded-client.ts';
import type { TransferPorts } from '../../command/transfer.ts';
import { UsageError } from '../../command/usage.ts';
import { imagesOf } from './entry-images.ts';
import { readImportFile } from './file.ts';
import type { ImportFile } from './file.ts';
import { Images } from './images.ts';
import { planImport } from './plan.ts';
import { References } from './references.ts';
import { linesOf, Tally } from './report.ts';
import { requireReadScopes, requireWriteRights } from './key-rights.ts';
import { expectWrites } from './run.ts';
import type { ImportJob } from './run.ts';
import { readSite } from './site.ts';
import type { Uses } from './site.ts';

export interface ImportOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly dryRun?: true;
  readonly allowPrivateImages?: true;
  readonly concurrency: number;
  readonly report?: string;
}

export interface ImportPorts extends TransferPorts {
  readonly http: GuardedClient;
}

/**
 * Prepares an import before the first write: reads the file, the key's rights and the Site, and plans every entry.
 *
 * @throws UsageError if nothing can be imported (exit code 2)
 */
export async function prepareImport(
  path: string,
  options: ImportOptions,
  ports: ImportPorts,
): Promise<ImportJob> {
  const file = readImportFile(path);
  if (options.report !== undefined && resolve(options.report) === resolve(path)) {
    throw new UsageError('--report: must not be the import file itself.');
  }
  try {
    const job = await planJob(file, options, ports);
    if (options.report !== undefined) requireWritable(options.report);
    return job;
  } catch (error) {
    ports.signal.throwIfAborted();
    // Nothing has been written, so every error is a usage error.
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, { cause: error });
  }
}

async function planJob(file: ImportFile, options: ImportOptions, ports: ImportPorts): Promise<ImportJob> {
  const { client, http, progress, signal, stop } = ports;
  const { dryRun = false } = options;
  const { concurrency } = options;
  const uses = usesOf(file);
  const scopes = await requireReadScopes(client, uses);
  const site = await readSite(client, uses);
  const plan = planImport(file, site);
  for (const { article, reasons } of plan.refused) progress.say(linesOf(article, reasons).join('\n'));

  const total = plan.steps.length;
  let done = 0;
  const show = (): void => progress.show({ done, total }, images.progress);
  const images = new Images({
    client,
    http,
    signal,
    assets: site.assets,
    sourceUrl: file.sourceUrl,
    concurrency,
    dryRun,
    onSettled: show,
  });
  const job: ImportJob = {
    plan,
    client,
    images,
    references: new References(client, file, site, images),
    tally: new Tally(plan.unchanged.length, plan.refused),
    concurrency,
    dryRun,
    signal,
    stop,
    onSettled: () => {
      done += 1;
      show();
    },
  };
  await requireWriteRights(client, scopes, expectWrites(job), !dryRun);
  return job;
}

/** The objects that valid entries refer to. */
function usesOf({ articles, authors }: ImportFile): Uses {
  const entries = articles.flatMap(({ entry }) => entry.value ?? []);
  const avatar = [...authors.values()].some(({ value }) => value?.avatar_url);
  return {
    authors: entries.some(({ author }) => author !== undefined),
    categories: entries.some(({ category }) => category !== undefined),
    tags: entries.some(({ tags = [] }) => tags.length > 0),
    formats: entries.some(({ format }) => format !== undefined),
    images: entries.some((entry) => (entry.author && avatar) || imagesOf(entry).named.length > 0),
  };
}

function requireWritable(path: string): void {
  try {
    closeSync(openSync(path, 'a'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--report: ${path} cannot be written (${code ?? message}).`);
  }
}
