import type { Presswork } from '../../../../sdk/src/index.ts';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../text/texts.ts';
import { notYet } from '../article/after-saving.ts';
import { useSaving, useSession } from '../article/use-article.ts';
import { changedFields } from '../saving/fields.ts';
import { isQuiet } from '../saving/save-state.ts';
import type { SaveState } from '../saving/save-state.ts';
import { publishTexts } from './text.ts';

/**
 * The article, for what needs no saved text: a refused field does not hold it up.
 *
 * @throws PressworkError if what others wrote is not joined with it yet, such as in a conflict
 */
function settled(state: SaveState, saveFirst: string): string {
  if (!isQuiet(state) || state.base.id === null) throw notYet(saveFirst);
  return state.base.id;
}

/** The immediate actions. */
export function useLifecycle() {
  const text = useText(publishTexts);
  const { saver } = useSession();
  const isPending = useSaving(({ base }) => base.target === 'pending');
  const change = useChange({
    send: async (presswork, { act }: { act: Act; done: string }) =>
      act(presswork, settled(await saver.flush(), text.saveFirst)),
    touches: ['articles'],
    done: (_, { done }) => done,
  });
  const run = (act: Act, done: string) => (): void => change.mutate({ act, done });
  return {
    isBusy: change.isPending,
    unpublish: run(async (presswork, id) => {
      // With what others have written into the edit, which the API discards and this tab keeps.
      await saver.refresh();
      settled(saver.state, text.saveFirst);
      await saver.unpublish(() => presswork.articles.unpublish(id));
    }, text.unpublished),
    cancelSchedule: run(async ({ articles }, id) => {
      await (isPending ? articles.cancelPendingEditSchedule(id) : articles.cancelSchedule(id));
      await saver.refresh();
    }, text.scheduleCancelled),
    discard: run(async (presswork, id) => {
      const { mine: discarded } = saver.state;
      await presswork.articles.deletePendingEdit(id);
      // Without what was refused as well, but with what was typed since.
      const { base, mine } = saver.state;
      saver.edit({ ...base.fields, ...changedFields(discarded, mine) });
      await saver.refresh();
    }, text.discarded),
  };
}

type Act = (presswork: Presswork, articleId: string) => Promise<unknown>;
