import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAccount } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Button, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { Section } from './section.tsx';
import { screenTexts } from './text.ts';
import { useAccountChange } from './use-account-change.ts';

const nothing = { current: '', wanted: '', repeated: '', code: '' };

export function Password(): ReactNode {
  const text = useText(screenTexts).password;
  const { email, two_factor: factor } = useAccount();
  const [typed, setTyped] = useState(nothing);
  const [isDifferent, setDifferent] = useState(false);
  const { current, wanted, repeated, code } = typed;
  const change = useAccountChange<object>({
    method: 'POST',
    path: '/password',
    done: text.done,
    onDone: () => setTyped(nothing),
  });
  const submit = (): void => {
    setDifferent(wanted !== repeated);
    if (wanted !== repeated) return;
    change.mutate({ current_password: current, new_password: wanted, ...(factor.enabled && { code }) });
  };
  const set =
    (name: keyof typeof nothing) =>
    ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }): void =>
      setTyped((before) => ({ ...before, [name]: value }));
  return (
    <Section title={text.title} about={text.about}>
      <Form
        onSubmit={submit}
        error={change.error}
        actions={
          <Button type="submit" loading={change.isPending}>
            {text.submit}
          </Button>
        }
      >
        {/* For password managers, which keep both together. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextInput
          type="password"
          label={text.current}
          autoComplete="current-password"
          required
          value={current}
          onChange={set('current')}
          {...fieldError(change.error, 'current_password')}
        />
        <TextInput
          type="password"
          label={text.new}
          description={text.newAbout}
          autoComplete="new-password"
          required
          value={wanted}
          onChange={set('wanted')}
          {...fieldError(change.error, 'new_password')}
        />
        <TextInput
          type="password"
          label={text.repeat}
          autoComplete="new-password"
          required
          value={repeated}
          error={isDifferent && text.different}
          onChange={(event) => {
            setDifferent(false);
            set('repeated')(event);
          }}
        />
        {factor.enabled && (
          <TextInput
            label={text.code}
            autoComplete="one-time-code"
            required
            value={code}
            onChange={set('code')}
            {...fieldError(change.error, 'code')}
          />
        )}
      </Form>
    </Section>
  );
}
