import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ApiKeyWrite } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { fieldMessages } from '../../api/failure.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Checkbox, NativeSelect, Radio, Stack, TextInput } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { AccessChoice } from './access-choice.tsx';
import { Secret } from './secret.tsx';
import { isPublishable, tasks } from './tasks.ts';
import type { KeyScope } from './tasks.ts';
import { screenTexts } from './text.ts';

type Kind = 'secret' | 'publishable';
const expiries = ['30', '90', '365', 'never'] as const;
type Expiry = (typeof expiries)[number];

const DAY_MS = 86_400_000;

const endOf = (expiry: Expiry): string | null =>
  expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();

export interface CreateKeyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function CreateKey({ opened, onClose }: CreateKeyProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={text.form.title} size="lg" closesOutside={false}>
      <NewKey onClose={onClose} />
    </Dialog>
  );
}

function NewKey({ onClose }: Pick<CreateKeyProps, 'onClose'>): ReactNode {
  const text = useText(screenTexts).form;
  const { rights } = useSite();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('secret');
  const [chosen, setChosen] = useState<readonly KeyScope[]>(tasks.read);
  const [expiry, setExpiry] = useState<Expiry>('365');
  const [isAgent, setAgent] = useState(false);
  const [forDrafts, setForDrafts] = useState(true);
  const mayCarry = (scope: KeyScope): boolean =>
    rights.can(scope) && (kind === 'secret' || isPublishable(scope));
  const scopes = chosen.filter(mayCarry);
  const create = useChange({
    send: (presswork, body: ApiKeyWrite, options) => presswork.keys.create(body, options),
    touches: ['keys'],
    errors: 'here',
  });
  if (create.data !== undefined)
    return (
      <Secret
        answer={create.data}
        isNarrowed={create.data.scopes.length < (create.variables?.scopes.length ?? 0)}
        onClose={onClose}
      />
    );
  const submit = (): void => {
    const holder = kind === 'secret' && isAgent ? { held_by_agent: true, drafts_only: forDrafts } : {};
    create.mutate({ name: name.trim(), kind, scopes, expires_at: endOf(expiry), ...holder });
  };
  return (
    <Form
      onSubmit={submit}
      error={create.error}
      isDirty={name !== ''}
      actions={
        <FormButtons isPending={create.isPending} onCancel={onClose}>
          {text.submit}
        </FormButtons>
      }
    >
      <TextInput
        label={text.name}
        description={text.nameAbout}
        dir="auto"
        autoComplete="off"
        maxLength={200}
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        {...fieldError(create.error, 'name')}
      />
      <Radio.Group label={text.kind} name="kind" value={kind} onChange={(value) => setKind(value)}>
        <Stack gap="xs" mt="xs">
          <Radio value="secret" label={text.secret} description={text.secretAbout} />
          <Radio value="publishable" label={text.publishable} description={text.publishableAbout} />
        </Stack>
      </Radio.Group>
      <AccessChoice
        scopes={scopes}
        mayCarry={mayCarry}
        onChange={setChosen}
        error={fieldMessages(create.error)['scopes']}
      />
      <NativeSelect
        label={text.expiry}
        data={expiries.map((value) => ({ value, label: text.expiries[value] }))}
        value={expiry}
        onChange={({ currentTarget }) => setExpiry(currentTarget.value as Expiry)}
        {...fieldError(create.error, 'expires_at')}
      />
      {kind === 'secret' && (
        <Checkbox
          label={text.agent}
          description={text.agentAbout}
          checked={isAgent}
          onChange={({ currentTarget }) => setAgent(currentTarget.checked)}
        />
      )}
      {kind === 'secret' && isAgent && (
        <Checkbox
          label={text.drafts}
          description={text.draftsAbout}
          checked={forDrafts}
          onChange={({ currentTarget }) => setForDrafts(currentTarget.checked)}
        />
      )}
    </Form>
  );
}
