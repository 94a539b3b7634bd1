import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { texts, useText } from '../text/texts.ts';
import { toast } from '../session/toast.ts';

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

const SAID_MS = 3_000;

export interface CopyButtonProps {
  readonly value: string;
  /** The name of the copied text, for screen readers: “Copy the secret”. Without one, the button says just “Copy”. */
  readonly label?: string;
  readonly size?: ButtonProps['size'];
}

/** Copies a text, and says so. */
export function CopyButton({ value, label, size }: CopyButtonProps): ReactNode {
  const text = useText(copyTexts);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => toast.error(text.refused),
    );
  };
  return (
    <Button variant="default" size={size} aria-label={copied ? undefined : label} onClick={copy}>
      <span aria-live="polite">{copied ? text.copied : text.copy}</span>
    </Button>
  );
}
