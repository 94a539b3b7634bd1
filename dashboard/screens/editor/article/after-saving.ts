import { PressworkError } from '../../../../sdk/src/index.ts';
import { isUnsaved } from '../saving/save-state.ts';
import type { ArticleSession } from './article-session.ts';

/** Saves, does something with what has been saved, and reads how it is then. */
export async function afterSaving(
  session: ArticleSession,
  saveFirst: string,
  act: (articleId: string) => Promise<unknown>,
): Promise<void> {
  const state = await session.saver.flush();
  if (isUnsaved(state) || state.base.id === null) throw notYet(saveFirst);
  await act(state.base.id);
  await session.saver.refresh();
}

/** What is to be read or published is not saved. */
export const notYet = (saveFirst: string): PressworkError =>
  new PressworkError('CONFLICT', saveFirst, { status: 409 });
