import { createSlots } from '../../storage/slots.ts';
import type { ApiClient } from '../api-client.ts';
import { bringIn, complete } from './bring-in.ts';
import { imagesOf } from './entry-images.ts';
import type { EntryImages, NamedImage } from './entry-images.ts';
import type { ArticleEntry } from './entry.ts';
import type { Images } from './images.ts';
import { Leftovers } from './leftovers.ts';
import type { Plan, Step } from './plan.ts';
import type { References } from './references.ts';
import { Refused } from './refused.ts';
import type { Tally } from './report.ts';
import type { Writes } from './rights.ts';

/** What an import works with. */
export interface ImportJob {
  readonly plan: Plan;
  readonly client: ApiClient;
  readonly images: Images;
  readonly references: References;
  readonly tally: Tally;
  readonly concurrency: number;
  readonly dryRun: boolean;
  /** Told of each entry when it is done. */
  readonly onSettled: () => void;
  readonly signal: AbortSignal;
  /** Ends everything that is under way. */
  readonly stop: (reason: Error) => void;
}

/** Tells the images beforehand which there are. @returns what will have to be written */
export function expectWrites({ plan, images, references }: ImportJob): Writes {
  const entries = plan.steps.map(({ entry }) => entry);
  for (const entry of entries) for (const image of imagesOf(entry).named) images.expect(image);
  for (const entry of entries) {
    for (const image of avatarOf(references, entry)) images.expect(image, true);
  }
  for (const entry of [...entries, ...plan.unchanged]) {
    const url = references.authorOf(entry)?.avatar_url;
    for (const image of [...imagesOf(entry).named, ...(url ? [{ url }] : [])]) images.countIfThere(image);
  }
  return {
    articles: entries.length > 0,
    authors: entries.some((entry) => references.missesAuthor(entry)),
    categories: entries.some(references.missesCategory),
    tags: entries.some(references.missesTag),
    images: images.areToBeCopied,
  };
}

/** The picture of an author who is to be created for the entry. */
function avatarOf(references: References, entry: ArticleEntry): NamedImage[] {
  const url = references.missesAuthor(entry) ? references.authorOf(entry)?.avatar_url : null;
  return url ? [{ url }] : [];
}

/**
 * Brings the planned entries in, several side by side; an entry waits for its images. What is made for entries that
 * the API refuses in the end, as where somebody took the slug meanwhile, is taken back.
 *
 * @returns what ended the import early, or null
 */
export async function runImport(job: ImportJob): Promise<Error | null> {
  const { plan, client, tally } = job;
  const leftovers = new Leftovers();
  const inTurn = createSlots(job.concurrency);
  let ended: Error | null = null;
  await Promise.all(
    plan.steps.map(async (step) => {
      const { article, existing } = step;
      try {
        if (job.dryRun) await lookAtImages(job, step.entry);
        else await bring(job, step, inTurn, (path) => leftovers.note(path, article.index));
        leftovers.keep(article.index);
        tally.accept(existing !== null);
      } catch (error) {
        if (error instanceof Refused) tally.refuse(article, error.reasons);
        else {
          ended ??= error as Error;
          job.stop(ended);
          tally.refuse(article, [{ field: '', message: `is not in yet: ${ended.message}` }]);
        }
      }
      job.onSettled();
    }),
  );
  if (ended === null) await leftovers.remove(client);
  return ended;
}

async function bring(
  { client, images, references, signal }: ImportJob,
  { entry, existing }: Step,
  inTurn: ReturnType<typeof createSlots>,
  onMade: (path: string) => void,
): Promise<void> {
  const found = imagesOf(entry);
  const addresses = new Map<string, string>();
  await Promise.all(
    found.named.map(async (image) => {
      const { url, path } = await images.copy(image);
      if (url !== null) addresses.set(image.url, url);
      if (path !== undefined) onMade(path);
    }),
  );
  await inTurn(async () => {
    signal.throwIfAborted();
    const ids = await references.idsOf(entry, onMade);
    const draft = { entry, body: { ...membersOf(entry, found, addresses), ...ids } };
    if (existing === null) await bringIn(client, draft);
    else await complete(client, draft, existing.id);
  });
}

/** The members of an article, as the API calls them. A draft without a slug gets none: it could be that of a later entry. */
function membersOf(entry: ArticleEntry, images: EntryImages, addresses: ReadonlyMap<string, string>) {
  const { external_id, title, slug = null, excerpt, seo_title, seo_description } = entry;
  const { faqs, key_takeaways, comparison } = entry;
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
    ...images.place(addresses),
  };
}

async function lookAtImages({ images, references }: ImportJob, entry: ArticleEntry): Promise<void> {
  const named = [...imagesOf(entry).named, ...avatarOf(references, entry)];
  await Promise.all(named.map((image) => images.copy(image)));
}
