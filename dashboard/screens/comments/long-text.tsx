import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { screenTexts } from './text.ts';
import styles from './card.module.css';

const SHORT = 700;
const FEW_LINES = 10;

const isLong = (text: string): boolean => text.length > SHORT || text.split('\n').length > FEW_LINES;

/** A reader's text; of a long one the beginning, so that the next comment stays in sight. */
export function LongText({ text: whole }: { readonly text: string }): ReactNode {
  const { card: text } = useText(screenTexts);
  const [opened, setOpened] = useState(false);
  const long = isLong(whole);
  return (
    <div className={styles.body}>
      <p dir="auto" data-clipped={(long && !opened) || undefined}>
        {whole}
      </p>
      {long && (
        <Button
          size="compact-sm"
          variant="subtle"
          ms={-8}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {opened ? text.showLess : text.showAll}
        </Button>
      )}
    </div>
  );
}
