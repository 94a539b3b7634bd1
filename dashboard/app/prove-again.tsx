import { useState } from 'react';
import type { ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useAccount } from '../session/account.ts';
import { proofQuestion } from '../session/question.ts';
import { request } from '../session/request.ts';
import { texts, useText } from '../text/texts.ts';
import { TextInput } from '../ui/controls.ts';
import { Dialog } from '../ui/dialog.tsx';
import { fieldError, Form, FormButtons } from '../ui/form.tsx';

const proofTexts = texts(
  {
    title: 'Is it still you?',
    about: 'Your last sign-in was a while ago. To go on, prove it again.',
    password: 'Your password',
    code: 'Code of your app, or a recovery code',
    submit: 'Go on',
  },
  {
    title: 'Sind Sie es noch?',
    about: 'Ihre Anmeldung ist eine Weile her. Bestätigen Sie sie, um fortzufahren.',
    password: 'Ihr Passwort',
    code: 'Code Ihrer App oder ein Wiederherstellungscode',
    submit: 'Weiter',
  },
);

/** Asks for the password, or for a code of the second factor if there is one. */
export function ProveAgain(): ReactNode {
  const text = useText(proofTexts);
  const { two_factor: factor } = useAccount();
  const [typed, setTyped] = useState('');
  const name = factor.enabled ? 'code' : 'current_password';
  const prove = useMutation({
    gcTime: 0,
    mutationFn: () => request('POST', '/prove', { [name]: factor.enabled ? typed.trim() : typed }),
    onSuccess: () => proofQuestion.settle(true),
  });
  return (
    <Dialog opened title={text.title} onClose={() => proofQuestion.settle(false)}>
      <Form
        onSubmit={() => prove.mutate()}
        error={prove.error}
        actions={
          <FormButtons isPending={prove.isPending} onCancel={() => proofQuestion.settle(false)}>
            {text.submit}
          </FormButtons>
        }
      >
        <p>{text.about}</p>
        <TextInput
          type={factor.enabled ? 'text' : 'password'}
          label={factor.enabled ? text.code : text.password}
          autoComplete={factor.enabled ? 'one-time-code' : 'current-password'}
          required
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          {...fieldError(prove.error, name)}
        />
      </Form>
    </Dialog>
  );
}
