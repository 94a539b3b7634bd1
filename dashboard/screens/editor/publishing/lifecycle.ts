import { PressworkError } from '../../../../sdk/src/index.ts';
import type { Presswork } from '../../../../sdk/src/index.ts';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../text/texts.ts';
import type { ArticleSession } from '../article/article-session.ts';
import { useSaving, useSession } from '../article/use-article.ts';
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

/** What is done at once, and can be taken back. */
export function useLifecycle() {
  const text = useText(publishTexts);
  const session = useSession();
  const isPending = useSaving(({ base }) => base.target === 'pending');
  const change = useChange({
    send: (presswork, { act }: { act: Act; done: string }) =>
      afterSaving(session, text.saveFirst, (id) => act(presswork, id)),
    touches: ['articles'],
    done: (_, { done }) => done,
  });
  const run = (act: Act, done: string) => (): void => change.mutate({ act, done });
  return {
    isBusy: change.isPending,
    unpublish: run((presswork, id) => presswork.articles.unpublish(id), text.unpublished),
    cancelSchedule: run(
      (presswork, id) =>
        isPending ? presswork.articles.cancelPendingEditSchedule(id) : presswork.articles.cancelSchedule(id),
      text.scheduleCancelled,
    ),
    discard: run((presswork, id) => presswork.articles.deletePendingEdit(id), text.discarded),
  };
}

type Act = (presswork: Presswork, articleId: string) => Promise<unknown>;
