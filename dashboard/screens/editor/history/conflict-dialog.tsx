import { useMemo, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { Button, Group, Modal, Radio, Stack } from '../../../ui/controls.ts';
import { useSaving, useSession } from '../article/use-article.ts';
import { fieldTexts } from '../field-text.ts';
import type { FieldName } from '../saving/fields.ts';
import { decide, mergeFields } from '../saving/merge-fields.ts';
import type { Choices } from '../saving/merge-fields.ts';
import { isDisagreement } from '../saving/merge-lines.ts';
import type { LineChoice } from '../saving/merge-lines.ts';
import { Difference } from './difference.tsx';
import { shownValue } from './shown-value.ts';
import { historyTexts } from './text.ts';
import styles from './history.module.css';

/** A question to the person: one for each field, and for each place in the text. */
interface Question {
  readonly key: string;
  readonly field: FieldName;
  readonly theirs: string;
  readonly mine: string;
}

export interface ConflictDialogProps {
  /** A key that writes was pressed before anything was done in here: it was meant for the text. */
  readonly onWriting: () => void;
}

/** Two people changed the same. Nothing is saved before one of them has chosen. */
export function ConflictDialog({ onWriting }: ConflictDialogProps): ReactNode {
  const text = useText(historyTexts);
  const { saver } = useSession();
  const base = useSaving((state) => state.base);
  const theirs = useSaving((state) => state.conflict);
  const mine = useSaving((state) => state.mine);
  const merge = useMemo(
    () => mergeFields(base.fields, theirs?.fields ?? base.fields, mine),
    [base, theirs, mine],
  );
  const questions = useMemo(() => questionsOf(merge), [merge]);
  const [answers, setAnswers] = useState<Readonly<Record<string, LineChoice>>>({});
  const choices = (): Choices => {
    const inText = questions.filter(({ field }) => field === 'content');
    const byField = questions.map(({ field, key }) => [field, answers[key]]);
    return { ...Object.fromEntries(byField), content: inText.map(({ key }) => answers[key] ?? 'mine') };
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={text.conflictTitle}
      size="xl"
    >
      <Stack>
        {/* Has the focus first. It does nothing by keys, so that none of them decides by accident. */}
        <p
          className={styles.about}
          tabIndex={-1}
          data-autofocus
          onKeyDown={(event) => {
            if (writes(event)) onWriting();
          }}
        >
          {text.conflictAbout}
        </p>
        {questions.map((question, index) => (
          <Choice
            key={question.key}
            question={question}
            number={index + 1 - questions.findIndex(({ field }) => field === question.field)}
            answer={answers[question.key] ?? null}
            onAnswer={(answer) => setAnswers({ ...answers, [question.key]: answer })}
          />
        ))}
        <Group justify="flex-end">
          <Button
            disabled={questions.some(({ key }) => answers[key] === undefined)}
            onClick={() => saver.dispatch({ kind: 'chosen', fields: decide(merge, choices()) })}
          >
            {text.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** With what an input method or a dead key begins. */
const others = ['Enter', 'Backspace', 'Delete', 'Dead', 'Process'];

/** Windows reports AltGr as Ctrl and Alt. */
const writes = (event: KeyboardEvent): boolean =>
  ((!event.ctrlKey && !event.metaKey) || event.getModifierState('AltGraph')) &&
  (event.key.length === 1 || others.includes(event.key));

const questionsOf = ({ conflicts }: ReturnType<typeof mergeFields>): Question[] =>
  conflicts.flatMap((conflict): Question[] => {
    const { field } = conflict;
    if (conflict.field !== 'content') {
      return [{ key: field, field, theirs: shownValue(conflict.theirs), mine: shownValue(conflict.mine) }];
    }
    return conflict.parts
      .filter(isDisagreement)
      .map(({ theirs, mine }, index) => ({ key: `content ${index}`, field, theirs, mine }));
  });

interface ChoiceProps {
  readonly question: Question;
  /** Of the place in the text. */
  readonly number: number;
  readonly answer: LineChoice | null;
  readonly onAnswer: (answer: LineChoice) => void;
}

function Choice({ question, number, answer, onAnswer }: ChoiceProps): ReactNode {
  const text = useText(historyTexts);
  const names = useText(fieldTexts);
  const { field, theirs, mine } = question;
  const label = field === 'content' ? text.place(number) : names[field];
  const options = field === 'content' ? (['mine', 'theirs', 'both'] as const) : (['mine', 'theirs'] as const);
  return (
    <section className={styles.choice}>
      <Radio.Group label={label} value={answer} onChange={onAnswer}>
        <div className={styles.versions}>
          <Version name={text.theirVersion} value={theirs} />
          <Version name={text.myVersion} value={mine} />
        </div>
        {field === 'content' && theirs !== '' && mine !== '' && (
          <Difference label={label} before={theirs} after={mine} />
        )}
        <Group gap="lg">
          {options.map((option) => (
            <Radio key={option} value={option} label={text[option]} />
          ))}
        </Group>
      </Radio.Group>
    </section>
  );
}

function Version({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  const text = useText(historyTexts);
  return (
    <div>
      <strong>{name}</strong>
      <pre dir="auto" tabIndex={0} role="group" aria-label={name}>
        {value === '' ? <em>{text.nothing}</em> : value}
      </pre>
    </div>
  );
}
