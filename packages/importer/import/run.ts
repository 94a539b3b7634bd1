import { createSlots } from '../../base/slots.ts';
import type { ApiClient } from '../../command/api-client.ts';
import { importArticle, complete } from './import-article.ts';
import { imagesOf } from './entry-images.ts';
import type { EntryImages, NamedImage } from './entry-images.ts';
import type { ArticleEntry } from './entry.ts';
import type { Images } from './images.ts';
import { CreatedObjects } from './created-objects.ts';
import type { ObjectName } from './created-objects.ts';
import type { Plan, Step } from './plan.ts';
import type { References } from './references.ts';
import { EntryError } from './entry-error.ts';
import type { Tally } from './report.ts';
import type { Writes } from './key-rights.ts';

/** A prepared import. */
export interface ImportJob {
  readonly plan: Plan;
  readonly client: ApiClient;
  readonly images: Images;
  readonly references: References;
  readonly tally: Tally;
  readonly concurrency: number;
  readonly dryRun: boolean;
  /** Called after each entry. */
  readonly onSettled: () => void;
  readonly signal: AbortSignal;
  /** Aborts everything in flight. */
  readonly stop: (reason: Error) => void;
}

/** Announces the images to copy. @returns the objects to write */
export function expectWrites({ plan, images, references }: ImportJob): Writes {
  const entries = plan.steps.map(({ entry }) => entry);
  for (const entry of entries) for (const image of imagesOf(entry).named) images.expect(image);
  for (const entry of entries) {
    for (const image of avatarOf(references, entry)) images.expect(image, true);
  }
  for (const entry of [...entries, ...plan.unchanged]) {
    const url = references.authorOf(entry)?.avatar_url;
    for (const image of [...imagesOf(entry).named, ...(url ? [{ url }] : [])]) images.countIfInLibrary(image);
  }
  return {
    articles: entries.length > 0,
    authors: entries.some((entry) => references.missesAuthor(entry)),
    categories: entries.some(references.missesCategory),
    tags: entries.some(references.missesTag),
    images: images.needUpload,
  };
}

/** The picture of the author, if the author has to be created. */
function avatarOf(references: References, entry: ArticleEntry): NamedImage[] {
  const url = references.missesAuthor(entry) ? references.authorOf(entry)?.avatar_url : null;
  return url ? [{ url }] : [];
}

/**
 * Imports the planned entries concurrently; each entry waits for its images. Objects that were created only for entries
 * that the API rejects (for example because the slug was taken in the meantime) are deleted.
 *
 * @returns the error that ended the import early, or null
 */
export async function runImport(job: ImportJob): Promise<Error | null> {
  const { plan, client, tally } = job;
  const created = new CreatedObjects();
  const limit = createSlots(job.concurrency);
  let ended: Error | null = null;
  await Promise.all(
    plan.steps.map(async (step) => {
      const { article, existing } = step;
      try {
        if (job.dryRun) await checkImages(job, step.entry);
        else await importEntry(job, step, limit, (name) => created.note(name, article.index));
        created.keep(article.index);
        tally.accept(existing !== null);
      } catch (error) {
        if (error instanceof EntryError) tally.refuse(article, error.reasons);
        else {
          ended ??= error as Error;
          job.stop(ended);
          tally.refuse(article, [{ field: '', message: `was not imported: ${ended.message}` }]);
        }
      }
      job.onSettled();
    }),
  );
  if (ended === null) await created.deleteUnused(client);
  return ended;
}

async function importEntry(
  { client, images, references, signal }: ImportJob,
  { entry, existing }: Step,
  limit: ReturnType<typeof createSlots>,
  onMade: (name: ObjectName) => void,
): Promise<void> {
  const found = imagesOf(entry);
  const addresses = new Map<string, string>();
  await Promise.all(
    found.named.map(async (image) => {
      const { url, made } = await images.copy(image);
      if (url !== null) addresses.set(image.url, url);
      if (made !== undefined) onMade(made);
    }),
  );
  await limit(async () => {
    signal.throwIfAborted();
    const ids = await references.idsOf(entry, onMade);
    const draft = { entry, body: { ...membersOf(entry, found, addresses), ...ids } };
    if (existing === null) await importArticle(client, draft);
    else await complete(client, draft, existing.id);
  });
}

/** The body for the API. A draft without a slug gets none, because a derived one could be that of a later entry. */
function membersOf(entry: ArticleEntry, images: EntryImages, addresses: ReadonlyMap<string, string>) {
  const { external_id, title, slug = null, excerpt, seo_title, seo_description } = entry;
  const { faqs, key_takeaways, comparison, sources, origin } = entry;
  return {
    external_id,
    title,
    slug,
    excerpt,
    seo_title,
    seo_description,
    faqs,
    key_takeaways,
    comparison,
    sources,
    origin,
    ...images.place(addresses),
  };
}

async function checkImages({ images, references }: ImportJob, entry: ArticleEntry): Promise<void> {
  const named = [...imagesOf(entry).named, ...avatarOf(references, entry)];
  await Promise.all(named.map((image) => images.copy(image)));
}
