import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Autopilot, AutopilotUpdate } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button, Checkbox, Switch, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { autopilotTexts } from './autopilot-text.ts';
import styles from './content-plan.module.css';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Day = (typeof days)[number];

/** When runs start by themselves, with how many approved items. */
export function AutopilotPanel({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(autopilotTexts);
  const { data, error, refetch } = useItem({
    key: ['autopilot'],
    load: (presswork, options) => presswork.autopilot.get(options),
  });
  return (
    <SidePanel title={text.title} onClose={onClose}>
      {data === undefined && error === null && <Loading />}
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <Last autopilot={data} />
          <AutopilotForm saved={data} onClose={onClose} />
        </>
      )}
    </SidePanel>
  );
}

interface Typed {
  readonly enabled: boolean;
  readonly weekdays: readonly Day[];
  readonly time: string;
  readonly items: string;
}

function AutopilotForm({
  saved,
  onClose,
}: {
  readonly saved: Autopilot;
  readonly onClose: () => void;
}): ReactNode {
  const { rights, timezone } = useSite();
  const text = useText(autopilotTexts);
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const [isDone, setDone] = useState(false);
  // Closes when nothing is left to be lost, so that nobody is asked.
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone]);
  const typed = {
    enabled: saved.enabled,
    time: saved.time,
    items: String(saved.items),
    weekdays: days.filter((day) => saved.weekdays.includes(day)),
    ...changed,
  };
  const change = useChange({
    send: (presswork, update: AutopilotUpdate) => presswork.autopilot.update(update),
    touches: ['autopilot'],
    done: ({ enabled }) => (enabled ? text.savedOn : text.savedOff),
    onDone: () => setDone(true),
    errors: 'here',
  });
  const set = (part: Partial<Typed>): void => setChanged((before) => ({ ...before, ...part }));
  const choose = (day: Day, isChosen: boolean): void =>
    set({ weekdays: days.filter((each) => (each === day ? isChosen : typed.weekdays.includes(each))) });
  const mayChange = rights.can('pipeline:run');
  return (
    <Form
      onSubmit={() =>
        change.mutate({
          ...changed,
          ...(changed.items !== undefined && { items: Number(changed.items) }),
        } as AutopilotUpdate)
      }
      error={change.error}
      isDirty={Object.keys(changed).length > 0 && !isDone}
      actions={
        mayChange && (
          <Button type="submit" loading={change.isPending}>
            {text.save}
          </Button>
        )
      }
    >
      <Switch
        label={text.enabled}
        description={text.enabledAbout}
        disabled={!mayChange}
        checked={typed.enabled}
        onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
        {...fieldError(change.error, 'enabled')}
      />
      <fieldset className={styles.days}>
        <legend>{text.weekdays}</legend>
        {days.map((day) => (
          <Checkbox
            key={day}
            label={text.days[day]}
            disabled={!mayChange}
            checked={typed.weekdays.includes(day)}
            onChange={({ currentTarget: { checked } }) => choose(day, checked)}
            {...(day === 'mon' && fieldError(change.error, 'weekdays'))}
          />
        ))}
      </fieldset>
      <TextInput
        type="time"
        label={text.time}
        description={text.timeAbout(timezone)}
        disabled={!mayChange}
        value={typed.time}
        onChange={({ currentTarget }) => set({ time: currentTarget.value })}
        {...fieldError(change.error, 'time')}
      />
      <TextInput
        label={text.items}
        description={text.itemsAbout}
        inputMode="numeric"
        disabled={!mayChange}
        value={typed.items}
        onChange={({ currentTarget }) => set({ items: currentTarget.value })}
        {...fieldError(change.error, 'items')}
      />
    </Form>
  );
}

/** The result of the last firing. */
function Last({ autopilot: { last } }: { readonly autopilot: Autopilot }): ReactNode {
  const { id: siteId, timezone } = useSite();
  const text = useText(autopilotTexts);
  const format = useFormat();
  if (last === null) return <p className={styles.last}>{text.never}</p>;
  return (
    <p className={styles.last}>
      {text.last(format.dateTime(last.at, timezone))}{' '}
      {last.run_id !== null && (
        <Link to="/$siteId/runs/$runId" params={{ siteId, runId: last.run_id }}>
          {text.run}
        </Link>
      )}
      {last.error !== null && (last.error.code === 'CONFLICT' ? text.nothing : last.error.message)}
    </p>
  );
}
