import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { texts, useText } from '../text/texts.ts';
import { toast } from './toasts.tsx';
import styles from './copy-field.module.css';

const copyTexts = texts(
  {
    copy: 'Copy',
    copied: 'Copied',
    refused: 'The browser did not allow copying. Select the text and copy it yourself.',
  },
  {
    copy: 'Kopieren',
    copied: 'Kopiert',
    refused:
      'Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Text und kopieren Sie ihn selbst.',
  },
);

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** Such as: “It is shown once. Keep it in a safe place.” */
  readonly about?: string;
}

/** A value to take away, such as a secret that is shown once. */
export function CopyField({ label, value, about }: CopyFieldProps): ReactNode {
  const text = useText(copyTexts);
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => toast.error(text.refused),
    );
  };
  return (
    <div className={styles.field}>
      <TextInput
        className={styles.input}
        classNames={{ input: styles.value ?? '' }}
        label={label}
        description={about}
        value={value}
        readOnly
        autoComplete="off"
        spellCheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" onClick={copy}>
        <span aria-live="polite">{copied ? text.copied : text.copy}</span>
      </Button>
    </div>
  );
}
