import { useState } from 'react';
import type { ReactNode } from 'react';
import type { NotificationSettings, NotificationSettingsWrite } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { differing } from '../../api/form-base.ts';
import { useItem } from '../../api/item.ts';
import { notificationKinds } from '../../content/notification-kinds.ts';
import { useAccount } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Button, Checkbox, NativeSelect, Stack, Switch } from '../../ui/controls.ts';
import { Form } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

const digests = ['immediate', 'hourly', 'daily'] as const;

export function MailSettings(): ReactNode {
  const text = useText(screenTexts);
  const { mails } = useAccount();
  const settings = useItem({
    key: ['notifications', 'settings'],
    load: (presswork, options) => presswork.notifications.getSettings(options),
  });
  return (
    <section className={styles.section} aria-labelledby="mail">
      <h2 id="mail">{text.settings}</h2>
      <p className={styles.about}>{mails ? text.settingsAbout : text.noMail}</p>
      {settings.data !== undefined && <MailForm saved={settings.data} />}
      {settings.isPending && <Loading />}
      {settings.error !== null && <ErrorNote error={settings.error} retry={() => void settings.refetch()} />}
    </section>
  );
}

function MailForm({ saved }: { readonly saved: NotificationSettings }): ReactNode {
  const text = useText(screenTexts);
  const [changed, setChanged] = useState<Partial<NotificationSettings>>({});
  const values = { ...saved, ...changed };
  const changes = differing(saved, changed);
  const isDirty = Object.keys(changes).length > 0;
  const save = useChange({
    send: (presswork, update: NotificationSettingsWrite) => presswork.notifications.updateSettings(update),
    touches: ['notifications'],
    errors: 'here',
    done: () => text.saved,
    onDone: () => setChanged({}),
  });
  const set = (part: Partial<NotificationSettings>): void => setChanged((before) => ({ ...before, ...part }));
  return (
    <Form
      onSubmit={() => save.mutate(changes as NotificationSettingsWrite)}
      error={save.error}
      isDirty={isDirty}
      actions={
        <Button type="submit" disabled={!isDirty} loading={save.isPending}>
          {text.save}
        </Button>
      }
    >
      <Switch
        label={text.email}
        checked={values.email}
        onChange={({ currentTarget: { checked } }) => set({ email: checked })}
      />
      <NativeSelect
        label={text.digest}
        value={values.digest}
        data={digests.map((value) => ({ value, label: text.digests[value] }))}
        onChange={({ currentTarget: { value } }) => set({ digest: value })}
      />
      <Checkbox.Group
        label={text.kinds}
        value={notificationKinds.filter((kind) => !values.muted.includes(kind))}
        onChange={(wanted) =>
          set({
            // Kinds of a later version stay as they are.
            muted: [
              ...values.muted.filter((kind) => !notificationKinds.some((known) => known === kind)),
              ...notificationKinds.filter((kind) => !wanted.includes(kind)),
            ].toSorted(),
          })
        }
      >
        <Stack gap="xs" mt="xs">
          {notificationKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={text.kind[kind]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Form>
  );
}
