import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { toast } from '../../session/toast.ts';
import styles from './second-factor.module.css';
import { screenTexts } from './text.ts';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactNode {
  const text = useText(screenTexts).factor.codes;
  const [isCopied, setCopied] = useState(false);
  const lines = `${codes.join('\n')}\n`;
  const copy = (): void => {
    navigator.clipboard.writeText(lines).then(
      () => setCopied(true),
      () => toast.error(text.refused),
    );
  };
  return (
    <div className={styles.codes}>
      <h3 className={styles.codesTitle} tabIndex={-1} ref={(heading) => heading?.focus()}>
        {text.title}
      </h3>
      <p className={styles.text}>{text.about}</p>
      <ol className={styles.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button variant="default" onClick={copy}>
          <span aria-live="polite">{isCopied ? text.copied : text.copy}</span>
        </Button>
        <Button variant="default" onClick={() => download(lines, text.file)}>
          {text.download}
        </Button>
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </div>
  );
}

function download(content: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
