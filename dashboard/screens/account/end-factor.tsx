import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { TextInput } from '../../ui/controls.ts';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import styles from './second-factor.module.css';
import { screenTexts } from './text.ts';
import { useAccountChange } from './use-account-change.ts';

export function EndFactor({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(screenTexts);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const end = useAccountChange<{ current_password: string; code: string }>({
    method: 'DELETE',
    path: '/two-factor',
    done: text.factor.end.done,
    onDone: onClose,
  });
  return (
    <Form
      onSubmit={() => end.mutate({ current_password: password, code: code.trim() })}
      error={end.error}
      actions={
        <FormButtons color="red" isPending={end.isPending} onCancel={onClose}>
          {text.factor.end.submit}
        </FormButtons>
      }
    >
      <p className={styles.text}>{text.factor.end.about}</p>
      <TextInput
        type="password"
        label={text.factor.password}
        autoComplete="current-password"
        required
        data-autofocus
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        {...fieldError(end.error, 'current_password')}
      />
      <TextInput
        label={text.password.code}
        autoComplete="one-time-code"
        required
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        {...fieldError(end.error, 'code')}
      />
    </Form>
  );
}
