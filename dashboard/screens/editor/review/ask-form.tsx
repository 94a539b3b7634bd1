import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { useOthers } from '../../../content/people.ts';
import { useText } from '../../../text/texts.ts';
import { MultiSelect, TextInput, Textarea } from '../../../ui/controls.ts';
import { fieldError, Form, FormButtons } from '../../../ui/form.tsx';
import { useSession } from '../article/use-article.ts';
import { afterSaving } from '../article/after-saving.ts';
import { reviewTexts } from './text.ts';

const NOTHING = { note: '', due_date: '', reviewer_ids: [] as readonly string[] };

/** Asks for a review of the text as it is saved. */
export function AskForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(reviewTexts);
  const session = useSession();
  const [values, setValues] = useState(NOTHING);
  const set = (changed: Partial<typeof NOTHING>): void => setValues({ ...values, ...changed });
  const people = useOthers();
  const ask = useChange({
    send: (presswork, { note, due_date, reviewer_ids }: typeof NOTHING, options) =>
      afterSaving(session, text.saveFirst, (id) =>
        presswork.articles.requestReview(
          id,
          { note: note || null, due_date: due_date || null, reviewer_ids: [...reviewer_ids] },
          options,
        ),
      ),
    touches: ['reviews'],
    errors: 'here',
    done: () => text.asked,
    onDone: onClose,
  });
  return (
    <Form
      onSubmit={() => ask.mutate(values)}
      error={ask.error}
      actions={
        <FormButtons isPending={ask.isPending} onCancel={onClose}>
          {text.ask}
        </FormButtons>
      }
    >
      <Textarea
        label={text.note}
        maxLength={2_000}
        rows={3}
        dir="auto"
        data-autofocus
        value={values.note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
        {...fieldError(ask.error, 'note')}
      />
      <TextInput
        type="date"
        label={text.dueDate}
        value={values.due_date}
        onChange={({ currentTarget }) => set({ due_date: currentTarget.value })}
        {...fieldError(ask.error, 'due_date')}
      />
      {people.length > 0 && (
        <MultiSelect
          label={text.reviewers}
          description={text.reviewersAbout}
          data={[...people]}
          searchable
          comboboxProps={{ withinPortal: false }}
          maxValues={10}
          value={[...values.reviewer_ids]}
          onChange={(reviewer_ids) => set({ reviewer_ids })}
          {...fieldError(ask.error, 'reviewer_ids')}
        />
      )}
    </Form>
  );
}
