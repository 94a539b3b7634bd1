import type { Presswork } from '../../../../sdk/src/index.ts';
import { placeOf } from '../../../drafts/draft.ts';
import type { Draft } from '../../../drafts/draft.ts';
import { DraftKeeper } from '../../../drafts/draft-keeper.ts';
import { DraftStore } from '../../../drafts/draft-store.ts';
import { hold } from '../../../drafts/hold.ts';
import { newKey } from './new-key.ts';
import { readSnapshot, sendSave } from '../saving/api.ts';
import { isUnsaved } from '../saving/save-state.ts';
import type { Kept, SaveState } from '../saving/save-state.ts';
import { Saver } from '../saving/saver.ts';
import { NEW_ARTICLE, opened, restored } from '../saving/start.ts';
import { otherTabs } from './other-tabs.ts';

const store = new DraftStore();

export interface Owner {
  readonly email: string;
  readonly siteId: string;
  readonly presswork: Presswork;
  /** Otherwise nothing is saved or kept, and text on the device stays there. */
  readonly mayWrite: boolean;
  /** Lists that show the article are out of date then. */
  readonly onSaved: () => void;
}

/** The device's answer: it keeps it, or says that it cannot. */
export type DeviceState = 'keeps' | 'fails';

/** One article that is open in this tab: its saving, and the copy on the device. */
export class ArticleSession {
  readonly key = newKey();
  readonly saver: Saver;
  /** Whether text was found on the device that the API may not have. */
  readonly wasRestored: boolean;
  device: DeviceState = 'keeps';
  readonly #owner: Owner;
  readonly #keeper: DraftKeeper<Kept>;
  readonly #waiting: Draft<Kept>[];
  readonly #ends: (() => void)[] = [];

  private constructor(owner: Owner, state: SaveState, found: readonly Draft<Kept>[], onDevice: () => void) {
    const [first, ...others] = found;
    this.#owner = owner;
    this.#waiting = others;
    this.wasRestored = first !== undefined;
    this.saver = new Saver(state, {
      send: (request) => sendSave(owner, request),
      read: (id) => readSnapshot(owner, id),
      now: () => Date.now(),
      wakeAfter: (ms, wake) => {
        const timer = setTimeout(wake, ms);
        return () => clearTimeout(timer);
      },
    });
    const report = (device: DeviceState): void => {
      if (this.device === device) return;
      this.device = device;
      onDevice();
    };
    this.#keeper = new DraftKeeper(this.key, {
      store,
      nextFrame: (then) => requestAnimationFrame(then),
      onFailure: () => report('fails'),
      onKept: () => report('keeps'),
    });
    this.#ends.push(this.saver.subscribe((now) => this.#keep(now)));
    if (first !== undefined) void this.#takeOver(first);
  }

  /**
   * Opens an article, with what a tab that is gone has left of it on the device.
   *
   * @param articleId null for a new one
   * @throws PressworkError if it cannot be read, and the device has nothing of it
   */
  static async open(owner: Owner, articleId: string | null, onDevice: () => void): Promise<ArticleSession> {
    const place = placeOf(owner.email, owner.siteId, articleId);
    const { found, letGo } = owner.mayWrite ? await findLeft(place) : NOTHING_LEFT;
    const state = await firstState(owner, articleId, found[0]).catch((error: unknown) => {
      letGo();
      throw error;
    });
    const session = new ArticleSession(owner, state, found, onDevice);
    session.#ends.push(letGo);
    if (owner.mayWrite) await session.#begin();
    else session.saver.close();
    return session;
  }

  get mayWrite(): boolean {
    return this.#owner.mayWrite;
  }

  /** Writes to the device at once, as a page that is hidden gets no frame. */
  readonly hide = (): void => void this.#keeper.flush();

  /** Saves the rest, and ends. Text that cannot be saved stays on the device. */
  async close(): Promise<void> {
    await this.#keeper.flush();
    if (isUnsaved(this.saver.state)) await this.saver.flush();
    await this.#keeper.flush();
    this.saver.close();
    for (const end of this.#ends.splice(0)) end();
  }

  /** Ends without saving: the article has been deleted. */
  async discard(): Promise<void> {
    this.saver.close();
    this.#keeper.forget();
    await this.#keeper.flush();
    for (const end of this.#ends.splice(0)) end();
  }

  async #begin(): Promise<void> {
    const letGo = await hold(this.key);
    if (letGo !== null) this.#ends.push(letGo);
    const tabs = otherTabs(this.#owner.siteId, (id) => {
      if (id === this.saver.state.base.id) this.saver.dispatch({ kind: 'look' });
    });
    this.#ends.push(tabs.close);
    let etag = this.saver.state.base.etag;
    this.#ends.push(
      this.saver.subscribe(({ base }) => {
        if (base.etag === etag || base.id === null) return;
        etag = base.etag;
        tabs.tell(base.id);
        this.#owner.onSaved();
      }),
    );
    this.saver.start();
    void store.prune(Date.now()).catch(() => {});
  }

  #keep(state: SaveState): void {
    if (!isUnsaved(state)) {
      this.#keeper.forget();
      this.#adoptNext();
      return;
    }
    const { base, mine, sent, createKey } = state;
    const { email, siteId } = this.#owner;
    const length = [base.fields, base.live, mine, sent].reduce(
      (sum, fields) => sum + (fields?.content?.length ?? 0),
      10_000,
    );
    this.#keeper.keep({
      place: placeOf(email, siteId, base.id),
      keptAt: Date.now(),
      bytes: 2 * length,
      kept: { base, mine, sent, createKey },
    });
  }

  /** The texts of several tabs are taken up one after the other, each merged with what the API has by then. */
  #adoptNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.saver.dispatch({ kind: 'adopt', kept: next.kept });
    void this.#takeOver(next);
  }

  /** The copy is deleted once this tab has one of its own. */
  async #takeOver({ id }: Draft<Kept>): Promise<void> {
    this.#keep(this.saver.state);
    await this.#keeper.flush();
    if (this.device === 'keeps') await store.forget(id).catch(() => {});
  }
}

interface Left {
  readonly found: readonly Draft<Kept>[];
  readonly letGo: () => void;
}

const NOTHING_LEFT: Left = { found: [], letGo: () => {} };

/** The copies whose tabs are gone. They are held, so that no other tab takes them, too. */
async function findLeft(place: string): Promise<Left> {
  const all = await store.findAt<Kept>(place).catch(() => []);
  const holds = await Promise.all(all.map(({ id }) => hold(id)));
  const found = all.filter((_, index) => holds[index] !== null);
  return { found, letGo: () => holds.forEach((letGo) => letGo?.()) };
}

async function firstState(
  owner: Owner,
  articleId: string | null,
  left: Draft<Kept> | undefined,
): Promise<SaveState> {
  if (left !== undefined) return restored(left.kept);
  const snapshot = articleId === null ? NEW_ARTICLE : await readSnapshot(owner, articleId);
  return opened(snapshot, newKey());
}
