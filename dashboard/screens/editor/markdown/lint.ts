import { syntaxTree } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { problemsIn } from './problems.ts';
import type { TextProblem } from './problems.ts';

/** After a pause, so that no keystroke waits for it. */
const PAUSE_MS = 700;

/**
 * Marks what makes an article worse for its readers, in the part that has been parsed: what is on the screen always has.
 *
 * @param messages what to say of each kind
 */
export const lint = (messages: Readonly<Record<TextProblem['kind'], string>>): Extension =>
  linter(
    ({ state }) =>
      problemsIn(syntaxTree(state), (from, to) => state.sliceDoc(from, to)).map(({ kind, from, to }) => ({
        from,
        to,
        severity: 'warning',
        message: messages[kind],
      })),
    { delay: PAUSE_MS },
  );
