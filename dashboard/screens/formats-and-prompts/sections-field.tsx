import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { ActionIcon, Button, NumberInput, TextInput, Textarea } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { screenTexts } from './text.ts';
import { newSection } from './typed.ts';
import type { TypedSection } from './typed.ts';
import styles from './format-form.module.css';

const MOST = 100;
const MOST_WORDS = 100_000;

export interface SectionsFieldProps {
  readonly sections: readonly TypedSection[];
  /** Of the form. */
  readonly error: unknown;
  readonly onChange: (sections: readonly TypedSection[]) => void;
}

/** The outline of a format. Sections are moved by buttons, so that it needs no mouse. */
export function SectionsField({ sections, error, onChange }: SectionsFieldProps): ReactNode {
  const { form: text } = useText(screenTexts);
  const list = useRef<HTMLOListElement>(null);
  // After a section was added, moved or removed, the focus is on what the person works at.
  const focusOn = useRef<string | null>(null);
  useEffect(() => {
    if (focusOn.current === null) return;
    list.current?.parentElement?.querySelector<HTMLElement>(focusOn.current)?.focus();
    focusOn.current = null;
  }, [sections]);
  const move = (index: number, by: 1 | -1): void => {
    const next = [...sections];
    const [moved] = next.splice(index, 1);
    if (moved === undefined) return;
    next.splice(index + by, 0, moved);
    focusOn.current = `[data-section="${moved.id}"] input`;
    onChange(next);
  };
  return (
    <fieldset className={styles.group}>
      <legend>{text.sections}</legend>
      {sections.length === 0 && <p className={styles.soft}>{text.noSections}</p>}
      <ol ref={list} className={styles.sections}>
        {sections.map((section, index) => (
          <li key={section.id} data-section={section.id}>
            <div className={styles.sectionHead}>
              <span>{text.section(index + 1)}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.up(index + 1)}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <span className={styles.upwards}>
                  <Icon name="down" />
                </span>
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.down(index + 1)}
                disabled={index === sections.length - 1}
                onClick={() => move(index, 1)}
              >
                <Icon name="down" />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.remove(index + 1)}
                onClick={() => {
                  focusOn.current = 'button[data-add]';
                  onChange(sections.filter(({ id }) => id !== section.id));
                }}
              >
                <Icon name="close" />
              </ActionIcon>
            </div>
            <SectionFields
              section={section}
              error={error}
              path={`blueprint.sections.${index}`}
              onChange={(values) =>
                onChange(sections.map((each) => (each.id === section.id ? { ...each, ...values } : each)))
              }
            />
          </li>
        ))}
      </ol>
      {sections.length < MOST && (
        <Button
          variant="default"
          size="xs"
          data-add
          onClick={() => {
            const added = newSection();
            focusOn.current = `[data-section="${added.id}"] input`;
            onChange([...sections, added]);
          }}
        >
          {text.add}
        </Button>
      )}
    </fieldset>
  );
}

interface SectionFieldsProps {
  readonly section: TypedSection;
  readonly error: unknown;
  /** Of the section in the body, for the messages of the API. */
  readonly path: string;
  readonly onChange: (values: Partial<TypedSection>) => void;
}

function SectionFields({ section, error, path, onChange }: SectionFieldsProps): ReactNode {
  const { form: text } = useText(screenTexts);
  const words = (value: string | number): number | '' => (typeof value === 'number' ? value : '');
  return (
    <>
      <TextInput
        label={text.heading}
        dir="auto"
        maxLength={5_000}
        value={section.heading}
        onChange={({ currentTarget }) => onChange({ heading: currentTarget.value })}
        {...fieldError(error, `${path}.heading`)}
      />
      <Textarea
        label={text.guidance}
        dir="auto"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5_000}
        value={section.guidance}
        onChange={({ currentTarget }) => onChange({ guidance: currentTarget.value })}
        {...fieldError(error, `${path}.guidance`)}
      />
      <div className={styles.words}>
        <NumberInput
          label={text.least}
          min={0}
          max={MOST_WORDS}
          allowDecimal={false}
          hideControls
          value={section.min_words}
          onChange={(value) => onChange({ min_words: words(value) })}
          {...fieldError(error, `${path}.min_words`)}
        />
        <NumberInput
          label={text.most}
          min={1}
          max={MOST_WORDS}
          allowDecimal={false}
          hideControls
          value={section.max_words}
          onChange={(value) => onChange({ max_words: words(value) })}
          {...fieldError(error, `${path}.max_words`)}
        />
      </div>
    </>
  );
}
