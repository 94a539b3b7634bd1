import { useId } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import styles from './code-block.module.css';

export interface CodeBlockProps {
  /** What it is: “Verify deliveries”. */
  readonly title: string;
  readonly code: string;
}

/** Code to read and take away; whatever it says stays text. */
export function CodeBlock({ title, code }: CodeBlockProps): ReactNode {
  const id = useId();
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span id={id}>{title}</span>
        <CopyButton value={code} size="compact-xs" />
      </figcaption>
      {/* It takes the focus, so that it can be scrolled by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.code} role="region" tabIndex={0} dir="ltr" aria-labelledby={id}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
