import { useState } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Organisation, OrganisationWrite, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { isConflict } from '../../api/queries.ts';
import { accountQuery } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Switch, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { ApprovalChoice } from './approval-choice.tsx';
import type { GatedOperation } from './approval-choice.tsx';
import { differing } from './changes.ts';
import { SaveButtons } from './save-buttons.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

interface Values {
  readonly name: string;
  readonly agent_access: boolean;
  readonly approval_operations: readonly GatedOperation[];
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
  const [changed, setChanged] = useState<Partial<Values>>({});
  const values = { ...(saved as Values), ...changed };
  const changes = differing<Values>(saved as Values, changed);
  const isDirty = Object.keys(changes).length > 0;
  const save = useChange({
    send: (presswork, update: OrganisationWrite) => presswork.organisation.update(update, { ifMatch: saved }),
    touches: ['organisation'],
    errors: 'here',
    done: () => texts.saved,
    onDone: () => {
      setChanged({});
      void client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  const isTaken = isConflict(save.error);
  const set = (part: Partial<Values>): void => setChanged((before) => ({ ...before, ...part }));
  return (
    <Form
      onSubmit={() => save.mutate(changes)}
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
          chosen={values.approval_operations}
          onChange={(approval_operations) => set({ approval_operations })}
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
