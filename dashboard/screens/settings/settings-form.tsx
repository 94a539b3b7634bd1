import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Presswork, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { differing, useBase } from '../../api/form-base.ts';
import { isConflict } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { Form } from '../../ui/form.tsx';
import { SaveButtons } from './save-buttons.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

export interface SettingsFormProps<Item extends object, Fields extends object, Body> {
  readonly saved: Result<Item>;
  readonly fieldsOf: (item: Item) => Fields;
  /** What is sent of the fields that were changed. */
  readonly bodyOf: (changed: Partial<Fields>, base: Item) => Body;
  readonly read: (presswork: Presswork) => PromiseLike<Result<Item>>;
  readonly update: (
    presswork: Presswork,
    body: Body,
    options: { ifMatch: Result<Item> },
  ) => PromiseLike<Result<Item>>;
  readonly touches: string;
  readonly onDone?: () => void;
  readonly children: (form: {
    readonly base: Item;
    readonly values: Fields;
    readonly error: unknown;
    readonly set: (part: Partial<Fields>) => void;
  }) => ReactNode;
}

/** A form of settings that several people may change: what somebody else saved meanwhile is a conflict, and is shown. */
export function SettingsForm<Item extends object, Fields extends object, Body>(
  props: SettingsFormProps<Item, Fields, Body>,
): ReactNode {
  const { saved, fieldsOf, bodyOf, read, update, touches, onDone, children } = props;
  const text = useText(screenTexts);
  const [changed, setChanged] = useState<Partial<Fields>>({});
  const isDirty = Object.keys(changed).length > 0;
  const [base, setBase] = useBase(saved, !isDirty);
  const save = useChange({
    send: async (presswork, body: Body) => {
      try {
        return await update(presswork, body, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await read(presswork));
        throw error;
      }
    },
    touches: [touches],
    errors: 'here',
    done: () => text.saved,
    onDone: (output) => {
      setBase(output);
      setChanged({});
      onDone?.();
    },
  });
  const isTaken = isConflict(save.error);
  const discard = (): void => {
    setChanged({});
    save.reset();
  };
  return (
    <Form
      onSubmit={() => save.mutate(bodyOf(changed, base))}
      error={isTaken ? null : save.error}
      isDirty={isDirty}
      actions={<SaveButtons isDirty={isDirty} isSaving={save.isPending} onDiscard={discard} />}
    >
      {children({
        base,
        values: { ...fieldsOf(base), ...changed },
        error: save.error,
        set: (part) => setChanged((before) => differing(fieldsOf(base), { ...before, ...part })),
      })}
      {isTaken && (
        <p className={styles.conflict} role="alert">
          {text.organisation.conflict}
        </p>
      )}
    </Form>
  );
}
