import type { ReactNode } from 'react';
import type { ApiKeyWithSecret } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { Button, Stack } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { timeLeft, useNow } from './countdown.ts';
import { screenTexts } from './text.ts';

export interface SecretProps {
  readonly answer: ApiKeyWithSecret;
  /** When the secret before it stops working; undefined for a new key. */
  readonly graceEnds?: number;
  readonly isNarrowed?: boolean;
  readonly onClose: () => void;
}

/** The secret of a key, which is shown once. */
export function Secret({ answer, graceEnds, isNarrowed = false, onClose }: SecretProps): ReactNode {
  const text = useText(screenTexts).secret;
  const left = (graceEnds ?? 0) - useNow(graceEnds !== undefined);
  return (
    <Stack gap="md">
      {answer.secret === null ? (
        <p role="alert">{text.lost}</p>
      ) : (
        <CopyField label={text.label} value={answer.secret} about={text.once} />
      )}
      {isNarrowed && <p role="status">{text.narrowed}</p>}
      {graceEnds !== undefined && <p>{left > 0 ? text.grace(timeLeft(left)) : text.noGrace}</p>}
      <div>
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </Stack>
  );
}
