import { useState } from 'react';
import type { ClipboardEvent, ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button, CloseButton, TextInput, Textarea } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import styles from './new.module.css';
import { startTexts } from './text.ts';
import type { TopicInput } from './topic.ts';

const Keywords = onDemand(async () => (await import('./keywords.tsx')).Keywords);

export interface TopicFieldsProps {
  readonly topic: TopicInput;
  readonly index: number;
  readonly onChange: (topic: TopicInput) => void;
  readonly onPasteLines: (pasted: string) => void;
  readonly onRemove: (() => void) | null;
  readonly error: unknown;
  readonly focuses: boolean;
}

/** One topic of a run; keywords and source are behind a button, because most topics have none. */
export function TopicFields(props: TopicFieldsProps): ReactNode {
  const { topic, index, onChange, onPasteLines, onRemove, error, focuses } = props;
  const text = useText(startTexts);
  const [opened, setOpened] = useState(false);
  const name = (member: string): string => `topics.${index}.${member}`;
  const keywords = fieldError(error, name('keywords'));
  const source = fieldError(error, name('source_url'));
  const sources = fieldError(error, name('source_urls'));
  const notes = fieldError(error, name('notes'));
  const hasMore = topic.keywords.length > 0 || [topic.source, topic.sources, topic.notes].some(Boolean);
  const showsMore =
    opened || hasMore || [keywords, source, sources, notes].some(({ error: wrong }) => wrong !== undefined);
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!/\S\s*\n\s*\S/.test(pasted)) return;
    event.preventDefault();
    onPasteLines(pasted);
  };
  return (
    <li className={styles.topic}>
      <div className={styles.title}>
        <TextInput
          label={text.topic(index + 1)}
          dir="auto"
          maxLength={300}
          autoFocus={focuses}
          value={topic.title}
          onChange={({ currentTarget }) => onChange({ ...topic, title: currentTarget.value })}
          onPaste={paste}
          {...fieldError(error, name('title'))}
        />
        {onRemove !== null && <CloseButton aria-label={text.remove(index + 1)} onClick={onRemove} />}
      </div>
      {showsMore ? (
        <div className={styles.more}>
          <Keywords
            label={text.keywords}
            description={text.keywordsHint}
            dir="auto"
            acceptValueOnBlur
            value={[...topic.keywords]}
            onChange={(keywords) => onChange({ ...topic, keywords })}
            {...keywords}
          />
          <TextInput
            type="url"
            label={text.source}
            description={text.sourceHint}
            placeholder="https://"
            value={topic.source}
            onChange={({ currentTarget }) => onChange({ ...topic, source: currentTarget.value })}
            {...source}
          />
          <Textarea
            label={text.sources}
            description={text.sourcesHint}
            autosize
            maxRows={6}
            value={topic.sources}
            onChange={({ currentTarget }) => onChange({ ...topic, sources: currentTarget.value })}
            {...sources}
          />
          <Textarea
            label={text.notes}
            description={text.notesHint}
            dir="auto"
            autosize
            minRows={2}
            maxRows={10}
            maxLength={5_000}
            value={topic.notes}
            onChange={({ currentTarget }) => onChange({ ...topic, notes: currentTarget.value })}
            {...notes}
          />
        </div>
      ) : (
        <Button
          variant="subtle"
          size="compact-sm"
          ms={-8}
          aria-label={`${text.more}: ${text.topic(index + 1)}`}
          onClick={() => setOpened(true)}
        >
          {text.more}
        </Button>
      )}
    </li>
  );
}
