import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { KeyHint } from '../../ui/key-hint.tsx';
import { screenTexts } from './text.ts';
import styles from './queue.module.css';

const keys = [
  ['j', 'k', 'move'],
  ['a', 'approve'],
  ['h', 'hold'],
  ['s', 'spam'],
  ['r', 'reply'],
  ['d', 'delete'],
  ['z', 'undo'],
] as const;

/** The keyboard shortcuts. */
export function Keys(): ReactNode {
  const text = useText(screenTexts);
  return (
    <section className={styles.keys}>
      <h2>{text.keys}</h2>
      <ul>
        {keys.map((row) => {
          const name = row.at(-1) as keyof typeof text.keyTexts;
          return (
            <li key={name}>
              <KeyHint keys={row.slice(0, -1)} />
              {text.keyTexts[name]}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
