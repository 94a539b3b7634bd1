import { useState } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Organisation, OrganisationWrite, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { differing, useBase } from '../../api/form-base.ts';
import { useItem } from '../../api/item.ts';
import { isConflict } from '../../api/queries.ts';
import { accountQuery } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Switch, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { ApprovalChoice, choicesOf, withChoices } from './approval-choice.tsx';
import type { Choices } from './approval-choice.tsx';
import { SaveButtons } from './save-buttons.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

/** Each operation is a field of its own, so that what somebody else chose of the others stays. */
type Fields = Pick<Organisation, 'name' | 'agent_access'> & Choices;

const fieldsOf = ({ name, agent_access, approval_operations: saved }: Organisation): Fields => ({
  name,
  agent_access,
  ...choicesOf(saved),
});

function bodyOf({ name, agent_access, ...choices }: Partial<Fields>, base: Organisation): OrganisationWrite {
  const approval_operations = withChoices(base.approval_operations, choices);
  return { name, agent_access, ...(Object.keys(choices).length > 0 && { approval_operations }) };
}

export function OrganisationSettings(): ReactNode {
  const text = useText(screenTexts).organisation;
  const organisation = useItem({
    key: ['organisation'],
    load: (presswork, options) => presswork.organisation.get(options),
  });
  return (
    <section className={styles.section} aria-labelledby="organisation">
      <h2 id="organisation">{text.title}</h2>
      <p className={styles.about}>{text.about}</p>
      {organisation.data !== undefined && <OrganisationForm saved={organisation.data} />}
      {organisation.isPending && <Loading />}
      {organisation.error !== null && (
        <ErrorNote error={organisation.error} retry={() => void organisation.refetch()} />
      )}
    </section>
  );
}

function OrganisationForm({ saved }: { readonly saved: Result<Organisation> }): ReactNode {
  const texts = useText(screenTexts);
  const text = texts.organisation;
  const client = useQueryClient();
  const [changed, setChanged] = useState<Partial<Fields>>({});
  const isDirty = Object.keys(changed).length > 0;
  const [base, setBase] = useBase(saved, !isDirty);
  const values = { ...fieldsOf(base), ...changed };
  const save = useChange({
    send: async (presswork, update: OrganisationWrite) => {
      try {
        return await presswork.organisation.update(update, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.organisation.get());
        throw error;
      }
    },
    touches: ['organisation'],
    errors: 'here',
    done: () => texts.saved,
    onDone: (output) => {
      setBase(output);
      setChanged({});
      void client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  const isTaken = isConflict(save.error);
  const set = (part: Partial<Fields>): void =>
    setChanged((before) => differing(fieldsOf(base), { ...before, ...part }));
  return (
    <Form
      onSubmit={() => save.mutate(bodyOf(changed, base))}
      error={isTaken ? null : save.error}
      isDirty={isDirty}
      actions={
        <SaveButtons
          isDirty={isDirty}
          isSaving={save.isPending}
          onDiscard={() => {
            setChanged({});
            save.reset();
          }}
        />
      }
    >
      <TextInput
        label={text.name}
        dir="auto"
        maxLength={200}
        required
        value={values.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
        {...fieldError(save.error, 'name')}
      />
      <h3 className={styles.part}>{text.agents}</h3>
      <Switch
        label={text.access}
        description={text.accessAbout}
        checked={values.agent_access}
        onChange={({ currentTarget: { checked } }) => set({ agent_access: checked })}
      />
      {values.agent_access && (
        <ApprovalChoice
          chosen={withChoices(base.approval_operations, values)}
          onChange={(operations, isChosen) =>
            set(Object.fromEntries(operations.map((operation) => [operation, isChosen])))
          }
        />
      )}
      {isTaken && (
        <p className={styles.conflict} role="alert">
          {text.conflict}
        </p>
      )}
    </Form>
  );
}
