import { PressworkError } from '../../../../sdk/src/index.ts';
import type { Presswork } from '../../../../sdk/src/index.ts';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../text/texts.ts';
import type { ArticleSession } from '../article/article-session.ts';
import { useSaving, useSession } from '../article/use-article.ts';
import { changedFields } from '../saving/fields.ts';
import { isUnsaved } from '../saving/save-state.ts';
import { publishTexts } from './text.ts';

/** Saves, does something with what has been saved, and reads how it is then. */
export async function afterSaving(
  session: ArticleSession,
  saveFirst: string,
  act: (articleId: string) => Promise<unknown>,
): Promise<void> {
  const state = await session.saver.flush();
  if (isUnsaved(state) || state.base.id === null) {
    throw new PressworkError('CONFLICT', saveFirst, { status: 409 });
  }
  await act(state.base.id);
  await session.saver.refresh();
}

/** Does what needs no saved text, so that a refused field does not hold it up, and reads how it is then. */
async function besidesSaving(
  { saver }: ArticleSession,
  act: (articleId: string) => Promise<unknown>,
): Promise<void> {
  const { base } = await saver.flush();
  await act(base.id ?? '');
  await saver.refresh();
}

/** What is done at once. */
export function useLifecycle() {
  const text = useText(publishTexts);
  const session = useSession();
  const { saver } = session;
  const isPending = useSaving(({ base }) => base.target === 'pending');
  const change = useChange({
    send: (presswork, { act }: { act: Act; done: string }) =>
      besidesSaving(session, (id) => act(presswork, id)),
    touches: ['articles'],
    done: (_, { done }) => done,
  });
  const run = (act: Act, done: string) => (): void => change.mutate({ act, done });
  return {
    isBusy: change.isPending,
    unpublish: run(async (presswork, id) => {
      // With what others have written into the edit, which the API discards and this tab keeps.
      await saver.refresh();
      await presswork.articles.unpublish(id);
    }, text.unpublished),
    cancelSchedule: run(
      (presswork, id) =>
        isPending ? presswork.articles.cancelPendingEditSchedule(id) : presswork.articles.cancelSchedule(id),
      text.scheduleCancelled,
    ),
    discard: run(async (presswork, id) => {
      const { mine: discarded } = saver.state;
      await presswork.articles.deletePendingEdit(id);
      // Without what was refused as well, but with what was typed since.
      const { base, mine } = saver.state;
      saver.edit({ ...base.fields, ...changedFields(discarded, mine) });
    }, text.discarded),
  };
}

type Act = (presswork: Presswork, articleId: string) => Promise<unknown>;
