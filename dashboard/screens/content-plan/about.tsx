import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { TermPicker } from '../../content/term-picker.tsx';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Select, TagsInput, TextInput, Textarea } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { screenTexts } from './text.ts';
import type { Typed } from './typed.ts';

export interface AboutProps {
  readonly typed: Typed;
  readonly error: unknown;
  readonly onChange: (values: Partial<Typed>) => void;
}

/** The brief of the pipeline for the article that it writes. */
export function About({ typed, error, onChange }: AboutProps): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts).form;
  const { data: formats } = useItem({
    key: ['content-types'],
    load: (presswork, options) => presswork.contentTypes.list(options),
    enabled: rights.can('meta:read'),
  });
  return (
    <>
      <TagsInput
        label={text.keywords}
        description={text.keywordsAbout}
        dir="auto"
        value={[...typed.keywords]}
        onChange={(keywords) => onChange({ keywords })}
        {...fieldError(error, 'keywords')}
      />
      <TextInput
        type="url"
        label={text.source}
        description={text.sourceAbout}
        maxLength={2_000}
        value={typed.source_url}
        onChange={({ currentTarget }) => onChange({ source_url: currentTarget.value })}
        {...fieldError(error, 'source_url')}
      />
      <Textarea
        label={text.sources}
        description={text.sourcesAbout}
        autosize
        maxRows={8}
        value={typed.source_urls}
        onChange={({ currentTarget }) => onChange({ source_urls: currentTarget.value })}
        {...fieldError(error, 'source_urls')}
      />
      <Select
        label={text.format}
        placeholder={text.formatAny}
        clearable
        data={(formats?.items ?? [])
          .filter(({ id, is_active: isActive }) => isActive || id === typed.format_id)
          .map(({ id, name }) => ({ value: id, label: name }))}
        value={typed.format_id}
        onChange={(format) => onChange({ format_id: format })}
        {...fieldError(error, 'format_id')}
      />
      <TermPicker
        kind="categories"
        label={text.category}
        value={typed.category_id}
        onChange={(category) => onChange({ category_id: category })}
        {...fieldError(error, 'category_id')}
      />
      <TermPicker
        kind="authors"
        label={text.author}
        value={typed.author_id}
        onChange={(author) => onChange({ author_id: author })}
        {...fieldError(error, 'author_id')}
      />
    </>
  );
}
