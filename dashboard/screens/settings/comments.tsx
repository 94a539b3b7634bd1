import { useState } from 'react';
import type { ReactNode } from 'react';
import type { CommentSettings, CommentSettingsUpdate } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { fieldMessages } from '../../api/failure.ts';
import { differing } from '../../api/form-base.ts';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { Checkbox, NumberInput, Radio, Stack, Switch } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { SaveButtons } from './save-buttons.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

type Values = Required<CommentSettingsUpdate>;
const moderations = ['none', 'hold_links', 'hold_all'] as const;

const FIRST_DAYS = 30;

export function CommentsSettings(): ReactNode {
  const text = useText(screenTexts).comments;
  const settings = useItem({
    key: ['comments', 'settings'],
    load: (presswork, options) => presswork.comments.getSettings(options),
  });
  return (
    <section className={styles.section} aria-labelledby="comments">
      <h2 id="comments">{text.title}</h2>
      <p className={styles.about}>{text.about}</p>
      {settings.data !== undefined && <CommentsForm saved={settings.data} />}
      {settings.isPending && <Loading />}
      {settings.error !== null && <ErrorNote error={settings.error} retry={() => void settings.refetch()} />}
    </section>
  );
}

function CommentsForm({ saved }: { readonly saved: CommentSettings }): ReactNode {
  const texts = useText(screenTexts);
  const text = texts.comments;
  const [changed, setChanged] = useState<Partial<Values>>({});
  const values = { ...saved, ...changed } as Values;
  const changes = differing(saved as Values, changed);
  const isDirty = Object.keys(changes).length > 0;
  const save = useChange({
    send: (presswork, update: CommentSettingsUpdate) => presswork.comments.updateSettings(update),
    touches: ['comments'],
    errors: 'here',
    done: () => texts.saved,
    onDone: () => setChanged({}),
  });
  const set = (part: Partial<Values>): void => setChanged((before) => ({ ...before, ...part }));
  return (
    <Form
      onSubmit={() => save.mutate(changes)}
      error={save.error}
      isDirty={isDirty}
      actions={<SaveButtons isDirty={isDirty} isSaving={save.isPending} onDiscard={() => setChanged({})} />}
    >
      <Switch
        label={text.enabled}
        description={text.enabledAbout}
        checked={values.enabled}
        onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
      />
      <Radio.Group
        label={text.moderation}
        value={values.moderation}
        error={fieldMessages(save.error)['moderation']}
        onChange={(value) => set({ moderation: value })}
      >
        <Stack gap="xs" mt="xs">
          {moderations.map((each) => (
            <Radio key={each} value={each} label={text.moderations[each]} />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label={text.requireEmail}
        description={text.requireEmailAbout}
        checked={values.require_email}
        onChange={({ currentTarget: { checked } }) => set({ require_email: checked })}
      />
      <Checkbox
        label={text.closes}
        checked={values.close_after_days !== null}
        onChange={({ currentTarget: { checked } }) =>
          set({ close_after_days: checked ? (saved.close_after_days ?? FIRST_DAYS) : null })
        }
      />
      {values.close_after_days !== null && (
        <NumberInput
          className={styles.number}
          label={text.days}
          description={text.daysAbout}
          allowDecimal={false}
          value={values.close_after_days}
          onChange={(value) => set({ close_after_days: Number(value) })}
          {...fieldError(save.error, 'close_after_days')}
        />
      )}
    </Form>
  );
}
