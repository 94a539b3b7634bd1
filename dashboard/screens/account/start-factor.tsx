import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { TextInput } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';
import { screenTexts } from './text.ts';
import { useAccountChange } from './use-account-change.ts';

interface Started {
  readonly secret: string;
  readonly uri: string;
  /** An SVG. */
  readonly qr: string;
}

interface StepProps {
  readonly onClose: () => void;
}

/** Asks for the password, then shows the secret, then the recovery codes. */
export function StartFactor({ onClose }: StepProps): ReactNode {
  const text = useText(screenTexts);
  const [password, setPassword] = useState('');
  const start = useAccountChange<{ current_password: string }, Started>({
    method: 'POST',
    path: '/two-factor',
  });
  if (start.data !== undefined) return <Confirm started={start.data} onClose={onClose} />;
  return (
    <Form
      onSubmit={() => start.mutate({ current_password: password })}
      error={start.error}
      actions={
        <FormButtons isPending={start.isPending} onCancel={onClose}>
          {text.factor.next}
        </FormButtons>
      }
    >
      <p className={styles.text}>{text.factor.aboutOff}</p>
      <TextInput
        type="password"
        label={text.factor.password}
        autoComplete="current-password"
        required
        data-autofocus
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        {...fieldError(start.error, 'current_password')}
      />
    </Form>
  );
}

function Confirm({ started, onClose }: StepProps & { readonly started: Started }): ReactNode {
  const text = useText(screenTexts);
  const [code, setCode] = useState('');
  const confirm = useAccountChange<{ code: string }, { recovery_codes: readonly string[] }>({
    method: 'POST',
    path: '/two-factor/confirm',
    done: text.factor.enabled,
  });
  if (confirm.data !== undefined)
    return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={onClose} />;
  return (
    <Form
      onSubmit={() => confirm.mutate({ code: code.trim() })}
      error={confirm.error}
      actions={
        <FormButtons isPending={confirm.isPending} onCancel={onClose}>
          {text.factor.confirm}
        </FormButtons>
      }
    >
      <p className={styles.text}>{text.factor.scan}</p>
      {/* As an image, so that nothing in it can run. */}
      <img
        className={styles.qr}
        src={`data:image/svg+xml,${encodeURIComponent(started.qr)}`}
        alt={text.factor.qr}
        width={208}
        height={208}
      />
      <CopyField label={text.factor.secret} value={started.secret} />
      <TextInput
        label={text.factor.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        autoFocus
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        {...fieldError(confirm.error, 'code')}
      />
    </Form>
  );
}
