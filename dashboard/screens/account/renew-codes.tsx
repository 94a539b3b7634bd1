import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { TextInput } from '../../ui/controls.ts';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';
import { screenTexts } from './text.ts';
import { useAccountChange } from './use-account-change.ts';

export function RenewCodes({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(screenTexts);
  const [code, setCode] = useState('');
  const renew = useAccountChange<{ code: string }, { recovery_codes: readonly string[] }>({
    method: 'POST',
    path: '/two-factor/recovery-codes',
  });
  if (renew.data !== undefined) return <RecoveryCodes codes={renew.data.recovery_codes} onClose={onClose} />;
  return (
    <Form
      onSubmit={() => renew.mutate({ code: code.trim() })}
      error={renew.error}
      actions={
        <FormButtons isPending={renew.isPending} onCancel={onClose}>
          {text.factor.renewal.submit}
        </FormButtons>
      }
    >
      <p className={styles.text}>{text.factor.renewal.about}</p>
      <TextInput
        label={text.password.code}
        autoComplete="one-time-code"
        required
        data-autofocus
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        {...fieldError(renew.error, 'code')}
      />
    </Form>
  );
}
