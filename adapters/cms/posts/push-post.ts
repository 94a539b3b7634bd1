import { z } from 'zod';
import { isShown, neverThere } from '../../../domain/cms/adapter.ts';
import type { PostChange, PushOutcome, PushTools } from '../../../domain/cms/adapter.ts';
import type { Post } from '../../../domain/cms/post.ts';
import { digest, fingerprintOf, titleKey } from './fingerprint.ts';
import type { PostSystem, Prepare, RemotePost, WantedPost } from './post-system.ts';

/** After a push: the post, its version there, and a digest of the sent content. */
const storedState = z.object({ id: z.string(), version: z.string(), sent: z.string() });
type State = z.infer<typeof storedState>;
/** Before a write: how to recognise the post, should the answer be lost. */
const storedIntent = z.object({
  slug: z.string(),
  title: z.string(),
  shown: z.boolean(),
  fingerprint: z.string(),
  sent: z.string(),
});

type Intent = z.infer<typeof storedIntent>;

interface Known {
  /** The post that was pushed, as it is there now; null if it is gone, or was removed. */
  readonly current: RemotePost | null;
  /** Whether nobody changed it since. */
  readonly unchanged: boolean;
  /** The digest of the content that was sent last. */
  readonly sent: string;
  /** What is there, if only the intent says that it was pushed. */
  readonly confirmed: State | null;
}

/** Stored after a removal that found no post: there is none, and nobody has to be asked about that. */
const removed: State = { id: '', version: '', sent: '' };

/** Makes a post as an article is. */
export async function pushPost(
  system: PostSystem,
  change: PostChange,
  prepare: Prepare,
  tools: Pick<PushTools, 'intend'>,
): Promise<PushOutcome> {
  const known = await lookUp(system, change);
  const { post } = change;
  if (!isShown(change) || post === null) return hidePost(system, change, known, tools);
  if (known !== null && !known.unchanged && !change.force)
    return diverged(known.current, known.current === null ? 'was deleted' : 'was changed');
  const wanted = await prepare({ ...change, post });
  const other = await otherAt(system, wanted.slug, known?.current ?? null);
  if (other !== null && !change.force) return occupied(other);
  return showPost(system, change, known?.current ?? other, wanted, known, tools);
}

/** The remote state of an article; null if it was never pushed. */
async function lookUp(system: PostSystem, change: PostChange): Promise<Known | null> {
  const { data: state } = storedState.safeParse(change.state);
  const { data: intent } = storedIntent.safeParse(change.intent);
  if (state === undefined || state.id === removed.id) {
    // Its slug was free before it was created.
    const found = intent === undefined ? null : await system.findBySlug(intent.slug);
    if (found !== null && titleKey(found.title) === intent?.title) return recognised(found, '');
    return state === undefined ? null : { current: null, unchanged: true, sent: '', confirmed: null };
  }
  const current = await system.find(state.id);
  if (current !== null && current.version !== state.version && intent && isAs(current, intent))
    return recognised(current, intent.sent);
  const unchanged = current !== null && current.version === state.version;
  return { current, unchanged, sent: state.sent, confirmed: null };
}

/** Of a write whose answer was lost. */
const recognised = (current: RemotePost, sent: string): Known => ({
  current,
  unchanged: true,
  sent,
  confirmed: stateOf(current, sent),
});

async function hidePost(
  system: PostSystem,
  { articleId, force }: PostChange,
  known: Known | null,
  { intend }: Pick<PushTools, 'intend'>,
): Promise<PushOutcome> {
  if (known === null) throw neverThere();
  const { current, unchanged } = known;
  if (current === null) return { status: 'succeeded', remoteUrl: null, state: removed };
  if (!unchanged && !force) return diverged(current, 'was changed');
  if (!current.shown) return done(current, '');
  await intend(articleId, intentFor({ ...current, shown: false }, ''), known.confirmed);
  const hidden = await system.hide(current);
  return hidden === null ? diverged(current, 'was changed') : done(hidden, '');
}

async function showPost(
  system: PostSystem,
  { articleId }: PostChange,
  current: RemotePost | null,
  wanted: WantedPost,
  known: Known | null,
  { intend }: Pick<PushTools, 'intend'>,
): Promise<PushOutcome> {
  const sent = digestOf(wanted);
  if (current !== null && current.shown && known?.unchanged && known.sent === sent)
    return done(current, sent);
  const next = { ...wanted, shown: true, fingerprint: fingerprintOf(wanted) };
  await intend(articleId, intentFor(next, sent), known?.confirmed);
  if (current === null) return done(await system.create(wanted), sent);
  const updated = await system.update(current, wanted);
  return updated === null ? diverged(current, 'was changed') : done(updated, sent);
}

type Recognised = Pick<RemotePost, 'slug' | 'title' | 'shown' | 'fingerprint'>;

const intentFor = ({ slug, title, shown, fingerprint }: Recognised, sent: string): Intent => ({
  slug,
  title: titleKey(title),
  shown,
  fingerprint,
  sent,
});

const isAs = ({ fingerprint, shown }: RemotePost, intent: Intent): boolean =>
  fingerprint === intent.fingerprint && shown === intent.shown;

async function otherAt(
  system: PostSystem,
  slug: string,
  current: RemotePost | null,
): Promise<RemotePost | null> {
  if (current?.slug === slug) return null;
  const found = await system.findBySlug(slug);
  return found === null || found.id === current?.id ? null : found;
}

/** Everything that is sent, the names of terms included. */
const digestOf = ({ post, ...rest }: WantedPost): string =>
  digest([JSON.stringify([rest, termsOf(post), post.seo_title, post.seo_description, post.published_at])]);

const termsOf = ({ tags, category }: Post) => [tags, category];

const stateOf = ({ id, version }: RemotePost, sent: string): State => ({ id, version, sent });

const done = (post: RemotePost, sent: string): PushOutcome => ({
  status: 'succeeded',
  remoteUrl: post.shown ? post.url : null,
  state: stateOf(post, sent),
});

const diverged = (current: RemotePost | null, what: 'was changed' | 'was deleted'): PushOutcome => ({
  status: 'diverged',
  remoteUrl: current?.url ?? null,
  message: `The post ${what} there since the last push. Push the article with force to overwrite that.`,
});

const occupied = ({ url }: RemotePost): PushOutcome => ({
  status: 'diverged',
  remoteUrl: url,
  message:
    'There is a post with this slug that was not pushed there by this connection. Push the article with force to overwrite it, or give the article another slug.',
});
