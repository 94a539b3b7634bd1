import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ChannelWrite } from '../../../sdk/src/index.ts';
import { notificationKinds } from '../../content/notification-kinds.ts';
import { useText } from '../../text/texts.ts';
import { Checkbox, NativeSelect, Stack, TextInput } from '../../ui/controls.ts';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { channelTexts } from './channel-text.ts';

const channelKinds = ['slack', 'teams'] as const;

export interface ChannelValues {
  readonly kind: (typeof channelKinds)[number];
  readonly name: string;
  /** Empty to keep the stored one. */
  readonly url: string;
  readonly kinds: NonNullable<ChannelWrite['kinds']>;
}

export interface ChannelFormProps {
  readonly initial: ChannelValues;
  /** Of the one that there is: its URL is kept, as long as its kind stays. */
  readonly stored: { readonly kind: string; readonly host: string } | null;
  readonly action: string;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Said above the fields. */
  readonly note?: ReactNode;
  readonly onSubmit: (values: ChannelValues) => void;
  readonly onCancel: () => void;
}

/** Where a channel leads, and what it is told. */
export function ChannelForm(props: ChannelFormProps): ReactNode {
  const { initial, stored, action, error, isPending, note, onSubmit, onCancel } = props;
  const text = useText(channelTexts);
  const [values, setValues] = useState(initial);
  const set = (part: Partial<ChannelValues>): void => setValues((now) => ({ ...now, ...part }));
  const isKept = stored?.kind === values.kind;
  return (
    <Form
      onSubmit={() => onSubmit({ ...values, url: values.url.trim() })}
      error={error}
      isDirty={!isPending && JSON.stringify(values) !== JSON.stringify(initial)}
      actions={
        <FormButtons isPending={isPending} onCancel={onCancel}>
          {action}
        </FormButtons>
      }
    >
      {note}
      <NativeSelect
        label={text.kind}
        value={values.kind}
        data={channelKinds.map((value) => ({ value, label: text.kinds[value] }))}
        onChange={({ currentTarget: { value } }) =>
          set({ kind: channelKinds.find((kind) => kind === value) ?? values.kind })
        }
      />
      <TextInput
        label={text.name}
        required
        dir="auto"
        maxLength={200}
        value={values.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        {...fieldError(error, 'name')}
      />
      <TextInput
        label={text.url}
        description={
          isKept ? text.kept(stored.host) : stored === null ? text.urlAbout : `${text.again} ${text.urlAbout}`
        }
        required={!isKept}
        dir="ltr"
        type="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        value={values.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        {...fieldError(error, 'url')}
      />
      <Checkbox.Group
        label={text.tells}
        value={[...values.kinds]}
        onChange={(wanted) =>
          // Kinds of a later version stay as they are.
          set({
            kinds: [
              ...values.kinds.filter((kind) => !notificationKinds.some((known) => known === kind)),
              ...notificationKinds.filter((kind) => wanted.includes(kind)),
            ].toSorted(),
          })
        }
      >
        <Stack gap="xs" mt="xs">
          {notificationKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={text.tell[kind]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Form>
  );
}
