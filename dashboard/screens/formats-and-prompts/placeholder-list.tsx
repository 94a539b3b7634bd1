import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { UnstyledButton } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import { written } from './placeholders.ts';
import { screenTexts } from './text.ts';
import styles from './prompts.module.css';

export interface PlaceholderListProps {
  /** The text of the platform's template of the stage. */
  readonly names: readonly string[];
  /** The text of the template. */
  readonly used: readonly string[];
  readonly onInsert: (name: string) => void;
}

/** The placeholders of the stage, explained; a click inserts it at the cursor. */
export function PlaceholderList({ names, used, onInsert }: PlaceholderListProps): ReactNode {
  const { prompts: text } = useText(screenTexts);
  return (
    <section>
      <h3 className={styles.placeholdersTitle}>{text.placeholders}</h3>
      <ul className={styles.placeholders}>
        {names.map((name) => (
          <li key={name}>
            <UnstyledButton
              type="button"
              className={styles.placeholder}
              aria-label={text.insert(written(name))}
              onClick={() => onInsert(name)}
            >
              {written(name)}
            </UnstyledButton>
            <span>
              {Object.hasOwn(text.meanings, name) && text.meanings[name as keyof typeof text.meanings]}
            </span>
            {used.includes(name) && <Icon name="check" size={16} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
