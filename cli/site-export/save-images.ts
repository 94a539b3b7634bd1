import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuardedClient } from '../../adapters/http/guarded-client.ts';
import { createSlots } from '../../packages/base/slots.ts';
import { fetchImage } from '../../packages/importer/import/image-fetch.ts';
import type { LibraryAsset } from './library.ts';

/** Numbers of files. */
export interface SavedImages {
  /** In the folder, also from an interrupted export. */
  readonly written: number;
  readonly failed: number;
}

export interface SavingPorts {
  readonly http: GuardedClient;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  readonly onSettled: (counts: { readonly done: number; readonly total: number }) => void;
}

/** Of up to 10 MB each, held in memory. */
const CONCURRENT = 4;

/** Saves images in a folder, each under the last segment of its URL. Those that are there are kept: images never change. */
export async function saveImages(
  assets: readonly LibraryAsset[],
  folder: string,
  ports: SavingPorts,
): Promise<SavedImages> {
  const slots = createSlots(CONCURRENT);
  let written = 0;
  let failed = 0;
  const settled = await Promise.allSettled(
    assets.map((asset) =>
      slots(async () => {
        ports.signal.throwIfAborted();
        const problem = await saveImage(asset, folder, ports);
        if (problem === null) written += 1;
        else {
          failed += 1;
          ports.warn(`the image ${asset.url} ${problem}`);
        }
        ports.onSettled({ done: written + failed, total: assets.length });
      }),
    ),
  );
  for (const each of settled) if (each.status === 'rejected') throw each.reason;
  return { written, failed };
}

/** @returns the problem, or null */
async function saveImage(
  { url, size_bytes: size }: LibraryAsset,
  folder: string,
  { http, signal }: SavingPorts,
): Promise<string | null> {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  // The API chose it, and must not choose a place outside of the folder.
  if (!/^\w[\w.-]*$/.test(name)) return 'has no usable name';
  const path = join(folder, name);
  const there = await stat(path).catch(() => null);
  if (there !== null && (size === null || there.size === size)) return null;
  const fetched = await fetchImage(http, url, signal, true);
  if (fetched.problem !== undefined) return fetched.problem;
  const { bytes } = fetched;
  if (size !== null && bytes.length !== size) return `has ${bytes.length} bytes instead of ${size}`;
  await writeFile(`${path}.part`, bytes, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
  return null;
}
