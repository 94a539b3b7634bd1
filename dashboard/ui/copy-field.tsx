import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import styles from './copy-field.module.css';

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** Such as: “It is shown once. Keep it in a safe place.” */
  readonly about?: string;
}

/** A value to take away, such as a secret that is shown once. */
export function CopyField({ label, value, about }: CopyFieldProps): ReactNode {
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
      <CopyButton value={value} />
    </div>
  );
}
