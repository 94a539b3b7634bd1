import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { ContentTypeDetail, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { isConflict } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { Button, Checkbox, Switch, TextInput } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { SectionsField } from './sections-field.tsx';
import { screenTexts } from './text.ts';
import { blocks, blueprintOf, isSame } from './typed.ts';
import type { TypedFormat } from './typed.ts';
import styles from './format-form.module.css';

export interface FormatFormProps {
  readonly before: TypedFormat;
  /** Null for a new one. */
  readonly version: Result<ContentTypeDetail> | null;
  readonly onClose: () => void;
  /** Reads the saved state, when somebody else was faster. */
  readonly latest?: () => Promise<Result<ContentTypeDetail> | undefined>;
  readonly onUseLatest?: (format: Result<ContentTypeDetail>) => void;
}

interface Sent {
  readonly of: Result<ContentTypeDetail> | null;
  readonly typed: TypedFormat;
}

/** A format of the Site with its blueprint. */
export function FormatForm(props: FormatFormProps): ReactNode {
  const { before, version, onClose, latest, onUseLatest } = props;
  const { form: text } = useText(screenTexts);
  const [typed, setTyped] = useState(before);
  const [saved, setSaved] = useState(false);
  // Closes when nothing is left to be lost, so that nobody is asked.
  useEffect(() => {
    if (saved) onClose();
  }, [saved]);
  const [theirs, setTheirs] = useState<Result<ContentTypeDetail>>();
  const set = (values: Partial<TypedFormat>): void => setTyped({ ...typed, ...values });
  const change = useChange({
    send: async (presswork, { of, typed }: Sent, { idempotencyKey }) => {
      const body = { name: typed.name, is_active: typed.is_active, blueprint: blueprintOf(typed) };
      if (of !== null) return presswork.contentTypes.update(of.id, body, { ifMatch: of });
      const key = typed.key.trim();
      return presswork.contentTypes.create({ ...body, ...(key !== '' && { key }) }, { idempotencyKey });
    },
    touches: ['formats'],
    item: version === null ? undefined : ['formats', version.id],
    done: ({ name }) => (version === null ? text.created(name) : text.saved),
    onDone: () => setSaved(true),
    errors: 'here',
  });
  const save = async (of: Result<ContentTypeDetail> | null): Promise<void> => {
    try {
      await change.mutateAsync({ of, typed });
    } catch (error) {
      if (isConflict(error)) setTheirs(await latest?.());
    }
  };
  return (
    <Form
      onSubmit={() => void save(version)}
      error={theirs === undefined ? change.error : null}
      isDirty={!isSame(before, typed) && !saved}
      actions={
        <FormButtons isPending={change.isPending} onCancel={onClose}>
          {version === null ? text.create : text.save}
        </FormButtons>
      }
    >
      {theirs !== undefined && (
        <div role="alert" className={styles.conflict}>
          <p>{text.conflict}</p>
          <Button size="xs" variant="default" onClick={() => onUseLatest?.(theirs)}>
            {text.useTheirs}
          </Button>
          <Button
            size="xs"
            onClick={() => {
              setTheirs(undefined);
              void save(theirs);
            }}
          >
            {text.keepYours}
          </Button>
        </div>
      )}
      <TextInput
        label={text.name}
        required
        dir="auto"
        maxLength={200}
        // For the drawer that opens with it, and for when it is read only then.
        data-autofocus
        autoFocus
        value={typed.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        {...fieldError(change.error, 'name')}
      />
      {version === null && (
        <TextInput
          label={text.key}
          description={text.keyAbout}
          classNames={{ input: styles.key ?? '' }}
          spellCheck={false}
          autoCapitalize="none"
          value={typed.key}
          onChange={({ currentTarget }) => set({ key: currentTarget.value })}
          {...fieldError(change.error, 'key')}
        />
      )}
      <Switch
        label={text.active}
        description={text.activeAbout}
        checked={typed.is_active}
        onChange={({ currentTarget }) => set({ is_active: currentTarget.checked })}
      />
      <fieldset className={styles.group}>
        <legend>{text.requires}</legend>
        {blocks.map((block) => (
          <Checkbox
            key={block}
            label={text.blocks[block]}
            checked={typed.requires.includes(block)}
            onChange={({ currentTarget: { checked } }) =>
              set({
                requires: checked
                  ? [...typed.requires, block]
                  : typed.requires.filter((each) => each !== block),
              })
            }
          />
        ))}
      </fieldset>
      <SectionsField
        sections={typed.sections}
        error={change.error}
        onChange={(sections) => set({ sections })}
      />
    </Form>
  );
}
