import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Radio, Switch, TextInput } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import styles from './delivery.module.css';
import { formTexts } from './form-text.ts';
import { kinds, membersOf } from './kinds.ts';
import type { Config, Kind } from './kinds.ts';
import { SecretField } from './secret-field.tsx';
import { screenTexts } from './text.ts';

export interface ConnectionValues {
  readonly kind: Kind;
  readonly name: string;
  readonly config: Config;
  /** Empty to keep the stored one. */
  readonly secret: string;
  readonly auto: boolean;
}

export interface ConnectionFormProps {
  readonly initial: ConnectionValues;
  /** Whether there is one already: its kind stays, and its secret is kept. */
  readonly stored: { readonly hasSecret: boolean } | null;
  readonly action: string;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Said above the fields. */
  readonly note?: ReactNode;
  readonly onSubmit: (values: ConnectionValues) => void;
  readonly onCancel: () => void;
}

/** The target of a connection, and its secret. */
export function ConnectionForm(props: ConnectionFormProps): ReactNode {
  const { initial, stored, action, error, isPending, note, onSubmit, onCancel } = props;
  const text = useText(formTexts);
  const names = useText(screenTexts);
  const [values, setValues] = useState(initial);
  const { kind, config } = values;
  const set = (part: Partial<ConnectionValues>): void => setValues((now) => ({ ...now, ...part }));
  return (
    <Form
      onSubmit={() => onSubmit({ ...values, config: ofKind(kind, config) })}
      error={error}
      isDirty={!isPending && JSON.stringify(values) !== JSON.stringify(initial)}
      actions={
        <FormButtons isPending={isPending} onCancel={onCancel}>
          {action}
        </FormButtons>
      }
    >
      {note}
      {stored === null && (
        <Radio.Group
          label={text.kind}
          value={kind}
          onChange={(value) => set({ kind: kinds.find((each) => each === value) ?? kind, secret: '' })}
        >
          <div className={styles.kinds}>
            {kinds.map((each) => (
              <Radio
                key={each}
                value={each}
                label={names.kinds[each]}
                description={names.kindsAbout[each]}
                data-autofocus={each === kind || undefined}
              />
            ))}
          </div>
        </Radio.Group>
      )}
      <TextInput
        label={text.name}
        description={text.nameAbout}
        required
        dir="auto"
        maxLength={200}
        value={values.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        {...fieldError(error, 'name')}
      />
      {membersOf[kind].map((member) => (
        <TextInput
          key={member}
          label={text.members[member]}
          description={text.about[member]}
          dir="ltr"
          required={member !== 'branch' && member !== 'path'}
          placeholder={member === 'branch' ? 'main' : undefined}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2_000}
          value={config[member] ?? ''}
          onChange={({ currentTarget }) => set({ config: { ...config, [member]: currentTarget.value } })}
          {...fieldError(error, `config.${member}`)}
        />
      ))}
      <SecretField
        kind={kind}
        config={config}
        isKept={stored?.hasSecret ?? false}
        value={values.secret}
        onChange={(secret) => set({ secret })}
        error={error}
      />
      <Switch
        label={text.auto}
        description={text.autoAbout}
        checked={values.auto}
        onChange={({ currentTarget }) => set({ auto: currentTarget.checked })}
      />
    </Form>
  );
}

/** The members of the kind alone; an empty branch is left to the API. */
const ofKind = (kind: Kind, config: Config): Config =>
  Object.fromEntries(
    membersOf[kind]
      .map((member) => [member, config[member]?.trim() ?? ''] as const)
      .filter(([member, value]) => member !== 'branch' || value !== ''),
  );
