import { useState } from 'react';
import type { ReactNode } from 'react';
import type { MediaAsset, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useBase } from '../../api/form-base.ts';
import { useItem } from '../../api/item.ts';
import { isConflict } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { Button, Textarea } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { screenTexts } from './text.ts';

export interface AltTextProps {
  readonly id: string;
  /** Called when it is saved, or given up. */
  readonly onClose: () => void;
}

/** Reads the image as it is now: the change is based on that version. */
export function AltTextEditor({ id, onClose }: AltTextProps): ReactNode {
  const image = useItem({
    key: ['media', id],
    load: (presswork, options) => presswork.media.get(id, options),
  });
  if (image.data !== undefined) return <AltTextForm image={image.data} onClose={onClose} isOpened />;
  return image.error === null ? null : <ErrorNote error={image.error} retry={() => void image.refetch()} />;
}

export interface AltTextFormProps {
  readonly image: Result<MediaAsset>;
  readonly onClose?: () => void;
  /** Whether the person has just asked for it: it takes the focus then. */
  readonly isOpened?: boolean;
}

export function AltTextForm({ image, onClose, isOpened = false }: AltTextFormProps): ReactNode {
  const text = useText(screenTexts).alt;
  const [typed, setTyped] = useState<string | null>(null);
  const [base, setBase] = useBase(image, typed === null);
  const saved = base.alt_text ?? '';
  const value = typed ?? saved;
  const isDirty = value !== saved;
  const save = useChange({
    send: async (presswork, alt: string) => {
      const alt_text = alt.trim() === '' ? null : alt.trim();
      try {
        return await presswork.media.update(base.id, { alt_text }, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.media.get(base.id));
        throw error;
      }
    },
    touches: ['media'],
    item: ['media', image.id],
    errors: 'here',
    done: () => text.saved,
    onDone: (output) => {
      setBase(output);
      setTyped(null);
      onClose?.();
    },
  });
  // Another person's text is the base now, so that saving once more replaces it knowingly.
  const conflict = isConflict(save.error)
    ? saved === ''
      ? text.conflictEmpty
      : text.conflict(saved)
    : undefined;
  const type = (alt: string): void => setTyped(alt === saved ? null : alt);
  const submit = (): void => (isDirty ? save.mutate(value) : onClose?.());
  return (
    <Form
      onSubmit={submit}
      error={conflict === undefined ? save.error : null}
      isDirty={isDirty}
      actions={
        <>
          <Button
            type="submit"
            size="xs"
            loading={save.isPending}
            disabled={!isDirty && onClose === undefined}
          >
            {text.save}
          </Button>
          {(onClose !== undefined || isDirty) && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setTyped(null);
                save.reset();
                onClose?.();
              }}
            >
              {text.cancel}
            </Button>
          )}
        </>
      }
    >
      <Textarea
        label={text.label}
        description={text.about}
        dir="auto"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1_000}
        autoFocus={isOpened}
        value={value}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
        {...fieldError(save.error, 'alt_text')}
        {...(conflict !== undefined && { error: conflict })}
      />
    </Form>
  );
}
