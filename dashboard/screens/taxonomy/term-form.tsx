import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { isConflict, isPressworkError } from '../../api/queries.ts';
import type { TermKind } from '../../content/terms.ts';
import { useText } from '../../text/texts.ts';
import { Checkbox, TextInput, Textarea } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { Conflict } from './conflict.tsx';
import { PictureField } from './picture-field.tsx';
import { changedIn, sentOf, typedOf } from './typed.ts';
import type { Typed } from './typed.ts';
import { termsOf } from './terms.ts';
import type { Term } from './terms.ts';
import { screenTexts } from './text.ts';
import styles from './term-form.module.css';

/** A term with the version that it was read in. */
export type ReadTerm = Term & { readonly meta: { readonly etag: string | null } };

export interface TermFormProps {
  readonly kind: TermKind;
  /** Null for a new one. */
  readonly term: ReadTerm | null;
  readonly onClose: () => void;
  /** Reads the saved state, when somebody else was faster. */
  readonly latest?: () => Promise<ReadTerm | null>;
  readonly onUseLatest?: (term: ReadTerm) => void;
}

interface Sent {
  readonly version: ReadTerm | null;
  readonly typed: Typed;
}

/** The members of a term. Only changed ones are sent. */
export function TermForm({ kind, term, onClose, latest, onUseLatest }: TermFormProps): ReactNode {
  const text = useText(screenTexts);
  const before = typedOf(term);
  const [typed, setTyped] = useState(before);
  const [saved, setSaved] = useState(false);
  // Closes when nothing is left to be lost, so that nobody is asked.
  useEffect(() => {
    if (saved) onClose();
  }, [saved]);
  const [theirs, setTheirs] = useState<ReadTerm | null>(null);
  const change = useChange({
    send: async (presswork, { version, typed }: Sent, { idempotencyKey }) => {
      const terms = termsOf(presswork, kind);
      return version === null
        ? terms.create(sentOf(kind, typed), { idempotencyKey })
        : terms.update(version.id, changedIn(before, typed, kind), { ifMatch: version });
    },
    touches: [kind],
    item: term === null ? undefined : [kind, term.id, 'edit'],
    done: ({ name }) => (term === null ? text[kind].created(name) : text.form.saved),
    onDone: () => setSaved(true),
    errors: 'here',
  });
  const save = async (version: ReadTerm | null): Promise<void> => {
    try {
      await change.mutateAsync({ version, typed });
    } catch (error) {
      if (isConflict(error) && latest !== undefined) setTheirs(await latest());
    }
  };
  const set = (values: Partial<Typed>): void => setTyped({ ...typed, ...values });
  const isDirty = JSON.stringify(typed) !== JSON.stringify(before);
  const slugError = isSlugTaken(change.error) ? text.form.taken : undefined;
  return (
    <Form
      onSubmit={() => void save(term)}
      error={theirs === null ? change.error : null}
      isDirty={isDirty && !saved}
      actions={
        <FormButtons isPending={change.isPending} onCancel={onClose}>
          {term === null ? text.form.create : text.form.save}
        </FormButtons>
      }
    >
      {theirs !== null && (
        <Conflict
          theirs={typedOf(theirs)}
          yours={typed}
          onUseTheirs={() => onUseLatest?.(theirs)}
          onKeepYours={() => {
            setTheirs(null);
            void save(theirs);
          }}
        />
      )}
      <TextInput
        label={text.form.name}
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
      <TextInput
        label={text.form.slug}
        description={text.form.slugAbout}
        classNames={{ input: styles.slug ?? '' }}
        spellCheck={false}
        autoCapitalize="none"
        value={typed.slug}
        onChange={({ currentTarget }) => set({ slug: currentTarget.value })}
        {...fieldError(change.error, 'slug')}
        {...(slugError !== undefined && { error: slugError })}
      />
      {term !== null && typed.slug !== before.slug && (
        <p className={styles.note} role="status">
          {text.form.slugChanges(before.slug)}
        </p>
      )}
      {kind === 'authors' && <AuthorFields typed={typed} error={change.error} onChange={set} />}
    </Form>
  );
}

const isSlugTaken = (error: unknown): boolean => isPressworkError(error) && error.code === 'SLUG_CONFLICT';

interface AuthorFieldsProps {
  readonly typed: Typed;
  readonly error: unknown;
  readonly onChange: (values: Partial<Typed>) => void;
}

function AuthorFields({ typed, error, onChange }: AuthorFieldsProps): ReactNode {
  const { form: text } = useText(screenTexts);
  return (
    <>
      <Textarea
        label={text.bio}
        description={text.bioAbout}
        dir="auto"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5_000}
        value={typed.bio}
        onChange={({ currentTarget }) => onChange({ bio: currentTarget.value })}
        {...fieldError(error, 'bio')}
      />
      <PictureField
        name={typed.name}
        url={typed.avatar_url}
        error={error}
        onChange={(url) => onChange({ avatar_url: url })}
      />
      <Checkbox
        label={text.isAi}
        description={text.isAiAbout}
        checked={typed.is_ai_generated}
        onChange={({ currentTarget }) => onChange({ is_ai_generated: currentTarget.checked })}
      />
    </>
  );
}
