import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { PlanItem, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { differing, useBase } from '../../api/form-base.ts';
import { isConflict } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { NativeSelect, TextInput, Textarea } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { About } from './about.tsx';
import styles from './content-plan.module.css';
import { screenTexts } from './text.ts';
import { sentOf, typedOf } from './typed.ts';
import type { Typed } from './typed.ts';

export interface ItemFormProps {
  /** Null for a new one. */
  readonly item: Result<PlanItem> | null;
  readonly onClose: () => void;
}

/** The members of an item. Only changed ones are sent, so that what somebody else saved meanwhile stays. */
export function ItemForm({ item: read, onClose }: ItemFormProps): ReactNode {
  const text = useText(screenTexts);
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const isDirty = Object.keys(changed).length > 0;
  const [item, setItem] = useBase(read, !isDirty);
  const saved = typedOf(item);
  const [isDone, setDone] = useState(false);
  // Closes when nothing is left to be lost, so that nobody is asked.
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone]);
  const typed = { ...saved, ...changed };
  const isTaken = item !== null && (item.status === 'started' || item.status === 'done');
  const change = useChange({
    send: async (presswork, values: Partial<Typed>, { idempotencyKey }) => {
      if (item === null)
        return presswork.planItems.create(
          { ...sentOf(values), title: values.title ?? '' },
          { idempotencyKey },
        );
      try {
        return await presswork.planItems.update(item.id, sentOf(values), { ifMatch: item });
      } catch (error) {
        if (isConflict(error)) setItem(await presswork.planItems.get(item.id));
        throw error;
      }
    },
    touches: ['plan'],
    item: item === null ? undefined : ['plan', item.id],
    done: ({ title }) => (item === null ? text.created(title) : text.saved),
    onDone: () => setDone(true),
    errors: 'here',
  });
  const hasConflict = isConflict(change.error);
  const set = (values: Partial<Typed>): void =>
    setChanged((before) => differing(saved, { ...before, ...values }));
  return (
    <Form
      onSubmit={() => change.mutate(changed)}
      error={hasConflict ? null : change.error}
      isDirty={isDirty && !isDone}
      actions={
        <FormButtons isPending={change.isPending} onCancel={onClose}>
          {item === null ? text.form.create : text.form.save}
        </FormButtons>
      }
    >
      {hasConflict && (
        <p role="alert" className={styles.conflict}>
          {text.form.conflict}
        </p>
      )}
      {isTaken && <p className={styles.soft}>{text.form.taken}</p>}
      <TextInput
        label={text.form.title}
        required
        dir="auto"
        maxLength={300}
        disabled={isTaken}
        data-autofocus
        autoFocus
        value={typed.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        {...fieldError(change.error, 'title')}
      />
      <Textarea
        label={text.form.notes}
        description={text.form.notesAbout}
        dir="auto"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5_000}
        value={typed.notes}
        onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
        {...fieldError(change.error, 'notes')}
      />
      <TextInput
        type="date"
        label={text.form.date}
        description={text.form.dateAbout}
        value={typed.target_date}
        onChange={({ currentTarget }) => set({ target_date: currentTarget.value })}
        {...fieldError(change.error, 'target_date')}
      />
      {!isTaken && (
        <NativeSelect
          label={text.form.status}
          data={(['idea', 'approved', 'rejected'] as const).map((value) => ({
            value,
            label: text.statuses[value],
          }))}
          value={typed.status}
          onChange={({ currentTarget }) => set({ status: currentTarget.value })}
          {...fieldError(change.error, 'status')}
        />
      )}
      <About typed={typed} error={change.error} onChange={set} />
    </Form>
  );
}
