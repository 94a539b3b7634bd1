import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, Fieldset, Radio, TextInput } from '../../ui/controls.ts';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink } from '../../ui/links.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { CostNote } from './cost-note.tsx';
import styles from './new.module.css';
import { useRefusal } from './refusal.ts';
import { screenTexts, startTexts } from './text.ts';
import { MOST_TOPICS, isEmpty, newTopic, toTopic, withPasted } from './topic.ts';
import type { ForAll, TopicInput } from './topic.ts';
import { TopicFields } from './topic-fields.tsx';

const ForAllFields = onDemand(
  async () => (await import('./for-all-fields.tsx')).ForAllFields,
  ForAllPlaceholder,
);

type Work = 'topics' | 'unfinished';

/** Orders a run: about new topics, or of articles that earlier runs left. */
export function Screen(): ReactNode {
  const { id: siteId } = useSite();
  const list = useText(screenTexts);
  const text = useText(startTexts);
  const [work, setWork] = useState<Work>('topics');
  const [topics, setTopics] = useState<readonly TopicInput[]>(() => [newTopic()]);
  const [forAll, setForAll] = useState<ForAll>({ format: null, category: null, author: null });
  const start = useStart();
  const refusal = useRefusal();
  const error = useMemo(() => refusal(start.error), [refusal, start.error]);
  // An empty topic below others is one that was not needed.
  const filled = topics.filter((topic) => !isEmpty(topic));
  const sent = filled.length === 0 ? topics.slice(0, 1) : filled;
  const submit = (): void => {
    setTopics(sent);
    start.mutate(work === 'topics' ? { topics: sent.map((topic) => toTopic(topic, forAll)) } : {});
  };
  const isDirty = filled.length > 0 && !start.isSuccess && !start.isPending;
  return (
    <Page title={text.title} crumbs={[{ label: list.title, to: `/${siteId}/runs` }]} width="narrow">
      <Form
        onSubmit={submit}
        error={error}
        isDirty={isDirty}
        actions={
          <>
            <Button type="submit" loading={start.isPending}>
              {text.submit}
            </Button>
            <ButtonLink variant="default" to="/$siteId/runs" params={{ siteId }}>
              {text.cancel}
            </ButtonLink>
          </>
        }
      >
        <Radio.Group label={text.what} value={work} onChange={(value) => setWork(value)}>
          <div className={styles.choices}>
            <Radio value="topics" label={text.topics} description={text.topicsAbout} />
            <Radio value="unfinished" label={text.unfinished} description={text.unfinishedAbout} />
          </div>
        </Radio.Group>
        {work === 'topics' && (
          <>
            <Topics topics={topics} onChange={setTopics} error={start.error} />
            <ForAllFields value={forAll} onChange={setForAll} error={start.error} />
          </>
        )}
        <CostNote topics={work === 'topics' ? sent.length : null} />
      </Form>
    </Page>
  );
}

function ForAllPlaceholder(): ReactNode {
  const text = useText(startTexts);
  return (
    <Fieldset legend={text.forAll} variant="unstyled" className={styles.group} aria-busy>
      <div className={styles.forAll}>
        {[text.format, text.category, text.author].map((label) => (
          <TextInput key={label} label={label} disabled />
        ))}
      </div>
    </Fieldset>
  );
}

function useStart() {
  const { id: siteId } = useSite();
  const navigate = useNavigate();
  return useChange({
    send: (presswork, body: { topics?: readonly ReturnType<typeof toTopic>[] }, { idempotencyKey }) =>
      presswork.pipeline.startRun(body, { idempotencyKey }),
    touches: ['runs', 'usage', 'articles'],
    onDone: ({ id }) =>
      void navigate({
        to: '/$siteId/runs/$runId',
        params: { siteId, runId: id },
        // The typed text has been sent.
        ignoreBlocker: true,
      }),
    errors: 'here',
  });
}

interface TopicsProps {
  readonly topics: readonly TopicInput[];
  readonly onChange: (topics: readonly TopicInput[]) => void;
  readonly error: unknown;
}

function Topics({ topics, onChange, error }: TopicsProps): ReactNode {
  const text = useText(startTexts);
  const [added, setAdded] = useState<number | null>(null);
  const add = (): void => {
    const topic = newTopic();
    setAdded(topic.key);
    onChange([...topics, topic]);
  };
  return (
    <Fieldset legend={text.topics} variant="unstyled" className={styles.group}>
      <p className={styles.soft}>{text.topicTitleHint}</p>
      <ol className={styles.topics}>
        {topics.map((topic, index) => (
          <TopicFields
            key={topic.key}
            topic={topic}
            index={index}
            focuses={topic.key === added}
            onChange={(changed) => onChange(topics.map((each) => (each.key === topic.key ? changed : each)))}
            onPasteLines={(pasted) => onChange(withPasted(topics, index, pasted))}
            onRemove={
              topics.length > 1 ? () => onChange(topics.filter(({ key }) => key !== topic.key)) : null
            }
            error={error}
          />
        ))}
      </ol>
      {topics.length < MOST_TOPICS ? (
        <Button variant="default" leftSection={<Icon name="plus" />} onClick={add}>
          {text.add}
        </Button>
      ) : (
        <p className={styles.soft}>{text.most}</p>
      )}
    </Fieldset>
  );
}
