import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PromptTried, PromptTry } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { stageCosts } from '../../content/costs.ts';
import { useText } from '../../text/texts.ts';
import { Button, Group, NativeSelect, TextInput, Textarea } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldError, Form } from '../../ui/form.tsx';
import type { Stage } from './stage.ts';
import { screenTexts } from './text.ts';
import styles from './prompts.module.css';

export interface TryDialogProps {
  readonly stage: Stage;
  /** As it stands in the editor, saved or not. */
  readonly template: string;
  readonly onClose: () => void;
}

/** What a template becomes of a topic or an article, and what the writer makes of it. */
export function TryDialog({ stage, template, onClose }: TryDialogProps): ReactNode {
  const { tries: text } = useText(screenTexts);
  const [articleId, setArticleId] = useState('');
  const [title, setTitle] = useState('');
  const [notes, setNotes] = useState('');
  const { data: articles } = useItem({
    key: ['articles', 'in-pipeline'],
    load: (presswork, options) =>
      presswork.articles.list(
        {
          status: [
            'discovered',
            'scored',
            'scraped',
            'generated',
            'needs_improvement',
            'needs_images',
            'queued',
          ],
          fields: ['title'],
          limit: 50,
        },
        options,
      ),
  });
  const attempt = useChange({
    send: (presswork, body: PromptTry) => presswork.prompts.try(stage, body),
    touches: ['usage'],
    errors: 'here',
  });
  const send = (renderOnly: boolean): void =>
    attempt.mutate({
      template,
      ...(articleId === ''
        ? { topic: { title, ...(notes !== '' && { notes }) } }
        : { article_id: articleId }),
      render_only: renderOnly,
    });
  const needsArticle = stage === 'improve';
  return (
    <Dialog opened onClose={onClose} title={text.title} size="xl">
      <Form
        onSubmit={() => send(true)}
        error={attempt.error}
        actions={
          <Group>
            <Button type="submit" variant="default" loading={attempt.isPending}>
              {text.render}
            </Button>
            <Button variant="default" disabled={attempt.isPending} onClick={() => send(false)}>
              {text.ask(stageCosts[stage])}
            </Button>
          </Group>
        }
      >
        <NativeSelect
          label={text.on}
          data={[
            { value: '', label: needsArticle ? text.choose : text.topic },
            ...(articles?.items ?? []).map(({ id, title: of }) => ({ value: id, label: of ?? id })),
          ]}
          value={articleId}
          onChange={({ currentTarget }) => setArticleId(currentTarget.value)}
          {...fieldError(attempt.error, 'article_id')}
        />
        {articleId === '' && !needsArticle && (
          <>
            <TextInput
              label={text.topicTitle}
              dir="auto"
              maxLength={300}
              value={title}
              onChange={({ currentTarget }) => setTitle(currentTarget.value)}
              {...fieldError(attempt.error, 'topic.title')}
            />
            <Textarea
              label={text.notes}
              dir="auto"
              autosize
              maxRows={6}
              maxLength={5_000}
              value={notes}
              onChange={({ currentTarget }) => setNotes(currentTarget.value)}
              {...fieldError(attempt.error, 'topic.notes')}
            />
          </>
        )}
      </Form>
      <div role="status">{attempt.data !== undefined && <Outcome tried={attempt.data} />}</div>
    </Dialog>
  );
}

function Outcome({ tried }: { readonly tried: PromptTried }): ReactNode {
  const { tries: text } = useText(screenTexts);
  const { rendered, answer, valid, problems, tokens, credits_spent: spent } = tried;
  return (
    <>
      {valid !== null && <p>{text.outcome(valid, spent)}</p>}
      {tokens !== null && <p>{text.tokens(tokens.input, tokens.output)}</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {answer !== null && <Shown label={text.answer} value={answer} />}
      {rendered !== '' && <Shown label={text.rendered} value={rendered} />}
    </>
  );
}

function Shown({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  return (
    <section aria-label={label}>
      <h3 className={styles.placeholdersTitle}>{label}</h3>
      {/* Whoever has no mouse scrolls it by keys. */}
      <pre className={styles.shown} tabIndex={0} dir="auto">
        {value}
      </pre>
    </section>
  );
}
