import type { ReactNode } from 'react';
import type { PipelineSuggestions } from '../../../../sdk/src/index.ts';
import { useTermsById } from '../../../content/terms.ts';
import { useText } from '../../../text/texts.ts';
import { Button } from '../../../ui/controls.ts';
import { useMayWrite } from '../article/use-article.ts';
import { fieldTexts } from '../field-text.ts';
import { useField } from '../fields.ts';
import styles from '../review/review.module.css';
import { pipelineTexts } from './text.ts';
import own from './pipeline.module.css';

/** What the pipeline proposes for fields of the article; taking it over is an edit like any other. */
export function Suggestions({ of }: { readonly of: PipelineSuggestions | null }): ReactNode {
  const text = useText(pipelineTexts);
  return (
    <section className={styles.block}>
      <h2>{text.suggestions}</h2>
      {of === null ? <p>{text.notYet}</p> : <Proposed of={of} />}
    </section>
  );
}

const textFields = ['excerpt', 'seo_title', 'seo_description'] as const;

function Proposed({ of }: { readonly of: PipelineSuggestions }): ReactNode {
  const text = useText(pipelineTexts);
  const { titles, tag_ids: tags, category_id: category } = of;
  const written = textFields.filter((name) => of[name] !== null);
  if (titles.length + tags.length + written.length === 0 && category === null) return <p>{text.none}</p>;
  return (
    <ul className={styles.threads}>
      {titles.map((title, index) => (
        <ProposedText key={`title ${index}`} name="title" value={title} />
      ))}
      {written.map((name) => (
        <ProposedText key={name} name={name} value={of[name] ?? ''} />
      ))}
      {category !== null && <ProposedCategory id={category} />}
      {tags.length > 0 && <ProposedTags ids={tags} />}
    </ul>
  );
}

function ProposedText({
  name,
  value,
}: {
  readonly name: 'title' | (typeof textFields)[number];
  readonly value: string;
}): ReactNode {
  const field = useField(name);
  return (
    <Proposal name={name} value={value} isTaken={field.value === value} onTake={() => field.set(value)} />
  );
}

function ProposedCategory({ id }: { readonly id: string }): ReactNode {
  const field = useField('category_id');
  const [category] = useTermsById('categories', [id]);
  if (category === undefined) return null;
  return (
    <Proposal
      name="category_id"
      value={category.name}
      isTaken={field.value === id}
      onTake={() => field.set(id)}
    />
  );
}

/** Those that the article has stay. */
function ProposedTags({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const field = useField('tag_ids');
  const names = useTermsById('tags', ids).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Proposal
      name="tag_ids"
      value={names.join(', ')}
      isTaken={ids.every((id) => field.value.includes(id))}
      onTake={() => field.set([...new Set([...field.value, ...ids])])}
    />
  );
}

interface ProposalProps {
  readonly name: 'title' | 'category_id' | 'tag_ids' | (typeof textFields)[number];
  readonly value: string;
  readonly isTaken: boolean;
  readonly onTake: () => void;
}

function Proposal({ name, value, isTaken, onTake }: ProposalProps): ReactNode {
  const text = useText(pipelineTexts);
  const fields = useText(fieldTexts);
  const mayWrite = useMayWrite();
  const label = fields[name];
  return (
    <li className={own.proposal}>
      <span className={styles.about}>{label}</span>
      <span dir="auto">{value}</span>
      {mayWrite && (
        // It keeps the focus when it was used.
        <Button
          size="compact-sm"
          variant="default"
          aria-label={isTaken ? text.takenOf(label) : text.takeOverOf(label, value)}
          aria-disabled={isTaken}
          data-disabled={isTaken || undefined}
          onClick={isTaken ? undefined : onTake}
        >
          {isTaken ? text.taken : text.takeOver}
        </Button>
      )}
    </li>
  );
}
