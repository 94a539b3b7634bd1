import type { ReactNode } from 'react';
import { signInUrl } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Anchor, Button } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import { useSaving, useSession } from './article/use-article.ts';
import type { SaveState } from './saving/save-state.ts';
import { screenTexts } from './text.ts';
import styles from './editor.module.css';

/** Whether the typed text is safe. Only what a person should know at once is announced to screen readers. */
export function SaveStatus(): ReactNode {
  const text = useText(screenTexts);
  const { saver } = useSession();
  const phase = useSaving((state) => state.phase);
  const problem = useSaving((state) => state.problem);
  const isQuiet = ['idle', 'dirty', 'saving', 'checking', 'saved'].includes(phase);
  const message = messageOf(text, phase, problem);
  return (
    <span className={styles.status} data-phase={phase} data-testid="save-status">
      {phase === 'saved' && <Icon name="check" size={15} />}
      {!isQuiet && <Icon name="warning" size={15} />}
      {isQuiet && <span>{message}</span>}
      <span role="status">{isQuiet ? '' : message}</span>
      {phase === 'waiting' && (
        <Button size="compact-xs" variant="default" onClick={() => saver.dispatch({ kind: 'save' })}>
          {text.tryAgain}
        </Button>
      )}
      {phase === 'signedOut' && (
        <Anchor href={signInUrl()} target="_blank" rel="noreferrer">
          {text.signIn}
        </Anchor>
      )}
    </span>
  );
}

function messageOf(
  text: {
    readonly [
      name in
        | 'idle'
        | 'dirty'
        | 'saving'
        | 'saved'
        | 'offline'
        | 'busy'
        | 'conflict'
        | 'refused'
        | 'signedOut'
        | 'gone'
    ]: string;
  },
  phase: SaveState['phase'],
  problem: SaveState['problem'],
): string {
  if (phase === 'waiting') return problem?.kind === 'offline' ? text.offline : text.busy;
  if (phase === 'checking') return text.saving;
  if (phase === 'refused' && problem?.kind === 'refused') return `${text.refused} ${problem.message}`;
  return text[phase];
}
