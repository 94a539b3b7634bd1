import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { Progress, TagsInput, TextInput, Textarea } from '../../../ui/controls.ts';
import { useMayWrite, useSaving } from '../article/use-article.ts';
import { fieldTexts } from '../field-text.ts';
import { textOrNull, useField } from '../fields.ts';
import { SearchResult, SocialCard } from './shown-elsewhere.tsx';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

/** The lengths that search results show whole. */
const TITLE = { from: 30, to: 60 } as const;
const DESCRIPTION = { from: 70, to: 160 } as const;

/** The data for search engines. */
export function SearchPanel(): ReactNode {
  const text = useText(panelTexts);
  const names = useText(fieldTexts);
  const title = useField('seo_title');
  const description = useField('seo_description');
  const keywords = useField('seo_keywords');
  const fallback = useSaving(({ mine }) => mine.title) ?? '';
  const excerpt = useSaving(({ mine }) => mine.excerpt) ?? '';
  const mayWrite = useMayWrite();
  return (
    <>
      <SearchResult />
      <SocialCard />
      <div>
        <TextInput
          label={names.seo_title}
          description={text.seoTitleAbout}
          placeholder={fallback}
          dir="auto"
          value={title.value ?? ''}
          error={title.errorAt()}
          onChange={({ currentTarget }) => title.set(textOrNull(currentTarget.value))}
        />
        <LengthMeter value={title.value || fallback} label={names.seo_title} {...TITLE} />
      </div>
      <div>
        <Textarea
          label={names.seo_description}
          description={text.seoDescriptionAbout}
          placeholder={excerpt}
          rows={4}
          dir="auto"
          value={description.value ?? ''}
          error={description.errorAt()}
          onChange={({ currentTarget }) => description.set(textOrNull(currentTarget.value))}
        />
        <LengthMeter value={description.value || excerpt} label={names.seo_description} {...DESCRIPTION} />
      </div>
      <TagsInput
        label={names.seo_keywords}
        description={mayWrite && text.keywordsAbout}
        maxTags={100}
        dir="auto"
        value={keywords.value ?? []}
        error={keywords.errorAt()}
        onChange={(all) => keywords.set(all.length === 0 ? null : all)}
      />
    </>
  );
}

/** Code points, as the API counts. */
const lengthOf = (value: string): number => [...value].length;

function LengthMeter({
  value,
  label,
  from,
  to,
}: {
  readonly value: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
}): ReactNode {
  const text = useText(panelTexts);
  const length = lengthOf(value);
  const isGood = length >= from && length <= to;
  return (
    <div className={styles.meter}>
      <Progress
        size="xs"
        value={Math.min(100, (100 * length) / to)}
        color={isGood ? undefined : 'yellow'}
        aria-label={label}
      />
      <span className={styles.address}>{text.length(length, from, to)}</span>
    </div>
  );
}
