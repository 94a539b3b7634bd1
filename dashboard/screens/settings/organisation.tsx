import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Organisation, OrganisationWrite, Result } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { accountQuery } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Switch, TextInput } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { ApprovalChoice, choicesOf, withChoices } from './approval-choice.tsx';
import type { Choices } from './approval-choice.tsx';
import { SettingsForm } from './settings-form.tsx';
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
  const text = useText(screenTexts).organisation;
  const client = useQueryClient();
  return (
    <SettingsForm
      saved={saved}
      fieldsOf={fieldsOf}
      bodyOf={bodyOf}
      read={(presswork) => presswork.organisation.get()}
      update={(presswork, body, options) => presswork.organisation.update(body, options)}
      touches="organisation"
      onDone={() => void client.invalidateQueries({ queryKey: accountQuery.queryKey })}
    >
      {({ base, values, error, set }) => (
        <>
          <TextInput
            label={text.name}
            dir="auto"
            maxLength={200}
            required
            value={values.name}
            onChange={({ currentTarget: { value } }) => set({ name: value })}
            {...fieldError(error, 'name')}
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
        </>
      )}
    </SettingsForm>
  );
}
