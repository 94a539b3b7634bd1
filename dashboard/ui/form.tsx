import { useEffect, useId, useRef } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useBlocker } from '@tanstack/react-router';
import { fieldMessages, useFailure } from '../api/failure.ts';
import { texts, useText } from '../text/texts.ts';
import type { ButtonProps } from '@mantine/core';
import { Button } from './controls.ts';
import styles from './form.module.css';

export interface FormProps {
  readonly onSubmit: () => void;
  /** Of the last try: field messages appear at the fields of that name, all else above the buttons. */
  readonly error?: unknown;
  /** Whether leaving would lose something: the person is asked then. */
  readonly isDirty?: boolean;
  readonly children: ReactNode;
  /** The buttons; the one that submits is `type="submit"`. */
  readonly actions: ReactNode;
}

const formTexts = texts(
  {
    cancel: 'Cancel',
    leave: 'Leave without saving? What you changed here is lost.',
    fields: 'Some values are not right. See the messages at the fields.',
  },
  {
    cancel: 'Abbrechen',
    leave: 'Ohne Speichern verlassen? Ihre Änderungen gehen verloren.',
    fields: 'Einige Angaben stimmen nicht. Die Hinweise stehen an den Feldern.',
  },
);

/** A form that never loses typed text, and puts the focus on the first wrong field. */
export function Form({ onSubmit, error = null, isDirty = false, children, actions }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const failure = useFailure();
  const text = useText(formTexts);
  const about = useId();
  useUnsavedChanges(isDirty);
  useEffect(() => {
    if (error === null) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    (wrong ?? document.getElementById(about))?.focus();
  }, [error, about]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  const fields = Object.entries(fieldMessages(error));
  const elsewhere = fields.filter(([name]) => !isShown(form.current, name));
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {children}
      {error !== null && (
        <div id={about} tabIndex={-1} role="alert" className={styles.error}>
          <p>{fields.length > 0 ? text.fields : failure(error)}</p>
          {elsewhere.map(([name, message]) => (
            <p key={name}>
              {name}: {message}
            </p>
          ))}
        </div>
      )}
      <div className={styles.actions}>{actions}</div>
    </form>
  );
}

export interface FormButtonsProps extends Pick<ButtonProps, 'disabled' | 'color'> {
  /** What the button that sends the form says. */
  readonly children: ReactNode;
  readonly isPending?: boolean;
  readonly onCancel: () => void;
}

/** The buttons of a form that can be left: one sends it, the other cancels. */
export function FormButtons({ children, isPending = false, onCancel, ...rest }: FormButtonsProps): ReactNode {
  const text = useText(formTexts);
  return (
    <>
      <Button type="submit" loading={isPending} {...rest}>
        {children}
      </Button>
      <Button variant="default" onClick={onCancel}>
        {text.cancel}
      </Button>
    </>
  );
}

/** By its own field, or by that of the list which it is a member of. */
const isShown = (form: HTMLFormElement | null, name: string): boolean =>
  form !== null &&
  [name, name.replace(/\.\d+$/, '')].some((field) => form.elements.namedItem(field) !== null);

/** Asks before the page is left with changes that are not saved. */
export function useUnsavedChanges(isDirty: boolean): void {
  const text = useText(formTexts);
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(text.leave),
    enableBeforeUnload: isDirty,
  });
}

/**
 * The message of the API for the field of that name: spread it into an input, `{...fieldError(error, 'title')}`. A field that
 * stands for a list shows the first one about a member of it.
 */
export function fieldError(error: unknown, name: string): { name: string; error: string | undefined } {
  const messages = fieldMessages(error);
  const ofMember = Object.keys(messages).find(
    (at) => at.startsWith(`${name}.`) && /^\d+$/.test(at.slice(name.length + 1)),
  );
  return { name, error: messages[name] ?? messages[ofMember ?? name] };
}
