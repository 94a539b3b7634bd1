import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { fieldMessages } from '../../../api/failure.ts';
import { isPressworkError } from '../../../api/queries.ts';
import { useSite } from '../../../api/site.ts';
import { useFormat } from '../../../text/format.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Checkbox, Group, Radio, Stack } from '../../../ui/controls.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useSaving, useSession } from '../article/use-article.ts';
import { fieldTexts } from '../field-text.ts';
import { instantOf, TimeField } from './time-field.tsx';
import type { ChosenTime } from './time-field.tsx';
import { wallTimeOf } from '../../../text/wall-time.ts';
import { afterSaving } from '../article/after-saving.ts';
import { publishTexts } from './text.ts';
import styles from '../panels/panels.module.css';

interface Wanted {
  /** Null is now. */
  readonly at: Date | null;
  readonly force: boolean;
  /** As it was when it was asked for: a first publication makes of what comes after it an edit. */
  readonly isEdit: boolean;
}

/** Publishes the text, now or at a time. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(publishTexts);
  const { timezone } = useSite();
  const isEdit = useSaving(({ base }) => base.target === 'pending');
  const scheduledAt = useSaving(
    ({ base: { lifecycle } }) => lifecycle.scheduled_publish_at ?? lifecycle.edit_scheduled_at,
  );
  const [isLater, setLater] = useState(scheduledAt !== null);
  const [time, setTime] = useState<ChosenTime>(() => ({
    wall: firstTime(scheduledAt, timezone),
    which: 'first',
  }));
  const [force, setForce] = useState(false);
  const publish = usePublish(onClose);
  const at = isLater ? instantOf(time, timezone, Date.now()) : null;
  const missing = useMissing();
  const isConflict =
    isEdit && !isLater && isPressworkError(publish.error) && publish.error.code === 'CONFLICT';
  const messages = fieldMessages(publish.error);
  return (
    <Dialog opened onClose={onClose} title={isEdit ? text.titleChanges : text.titleNew}>
      <Form
        onSubmit={() => publish.mutate({ at, force, isEdit })}
        error={publish.error}
        actions={
          <Group justify="flex-end" w="100%">
            <Button variant="default" onClick={onClose}>
              {text.cancel}
            </Button>
            <Button
              type="submit"
              loading={publish.isPending}
              disabled={missing !== null || (isLater && at === null)}
            >
              {isLater ? text.schedule : text.publishNow}
            </Button>
          </Group>
        }
      >
        {missing !== null && (
          <p className={styles.warning} role="status">
            {text.missing(missing)}
          </p>
        )}
        <SlugWarning />
        <Radio.Group
          label={text.when}
          value={isLater ? 'later' : 'now'}
          onChange={(when) => setLater(when === 'later')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="now" label={text.now} data-autofocus={!isLater || undefined} />
            <Radio value="later" label={text.later} data-autofocus={isLater || undefined} />
          </Stack>
        </Radio.Group>
        {isLater && (
          <TimeField
            value={time}
            onChange={setTime}
            error={messages['scheduled_publish_at'] ?? messages['scheduled_at']}
          />
        )}
        {(isConflict || force) && (
          <Checkbox
            label={text.force}
            checked={force}
            onChange={({ currentTarget }) => setForce(currentTarget.checked)}
          />
        )}
      </Form>
    </Dialog>
  );
}

function usePublish(onClose: () => void) {
  const text = useText(publishTexts);
  const session = useSession();
  return useChange({
    send: (presswork, { at, force, isEdit }: Wanted) =>
      afterSaving(session, text.saveFirst, async (id) => {
        const { articles } = presswork;
        if (at === null) await (isEdit ? articles.publishPendingEdit(id, { force }) : articles.publish(id));
        else if (isEdit) await articles.schedulePendingEdit(id, { scheduled_at: at.toISOString() });
        else await articles.schedule(id, { scheduled_publish_at: at.toISOString() });
      }),
    touches: ['articles'],
    errors: 'here',
    done: (_, { at, isEdit }) =>
      at !== null ? text.scheduled : isEdit ? text.changesPublished : text.published,
    onDone: onClose,
  });
}

/** The names of the fields without which nothing is published; null if there are none. */
function useMissing(): string | null {
  const names = useText(fieldTexts);
  const format = useFormat();
  const { title, content, slug } = useSaving(({ mine }) => mine);
  const isNew = useSaving(({ base }) => base.id === null);
  // The API makes the first slug from the title.
  const needed = { title, content, ...(!isNew && { slug }) };
  const missing = (['title', 'slug', 'content'] as const).filter((name) => name in needed && !needed[name]);
  return missing.length === 0 ? null : format.list(missing.map((name) => names[name]));
}

function SlugWarning(): ReactNode {
  const text = useText(publishTexts);
  const live = useSaving(({ base }) => base.lifecycle.live_slug);
  const slug = useSaving(({ mine }) => mine.slug);
  if (live === null || live === slug) return null;
  return (
    <p className={styles.warning} role="status">
      {text.slugWarning(live)}
    </p>
  );
}

const HOUR_MS = 3_600_000;

/** The time of the schedule, or the next full hour but one. */
const firstTime = (scheduledAt: string | null, timeZone: string): string =>
  wallTimeOf(
    scheduledAt === null ? new Date(Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS) : new Date(scheduledAt),
    timeZone,
  );
