import { useState } from 'react';
import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { MultiSelect, useDebouncedValue } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { voiceTexts } from './voice-text.ts';

const MOST = 5;

export interface SamplesFieldProps {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly error: unknown;
  readonly label?: string;
  /** Of the articles that are offered; all by default. */
  readonly status?: 'published';
}

/** Articles of the Site, which are found by what is typed. */
export function SamplesField({ ids, onChange, error, label, status }: SamplesFieldProps): ReactNode {
  const text = useText(voiceTexts);
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const { data: chosen = [] } = useItem({
    key: ['articles', 'named', ...ids],
    load: (presswork, options) =>
      Promise.all(ids.map((id) => presswork.articles.get(id, { fields: ['title'] }, options))),
    enabled: ids.length > 0,
  });
  const { data: found } = useItem({
    key: ['articles', 'found', q, status],
    load: (presswork, options) =>
      presswork.articles.list(
        { limit: 20, fields: ['title'], ...(q !== '' && { q }), ...(status && { status: [status] }) },
        options,
      ),
  });
  const options = new Map(
    [...chosen, ...(found?.items ?? [])].map(({ id, title }) => [id, title ?? text.untitled]),
  );
  return (
    <MultiSelect
      label={label ?? text.samples}
      description={label === undefined ? text.samplesAbout : undefined}
      searchable
      clearable
      maxValues={MOST}
      nothingFoundMessage={text.noSample}
      searchValue={typed}
      onSearchChange={setTyped}
      // What was found stands there, however it was found.
      filter={({ options: all }) => all}
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={[...ids]}
      onChange={onChange}
      {...fieldError(error, 'sample_article_ids')}
    />
  );
}
