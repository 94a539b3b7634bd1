import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Presswork } from '../../../../sdk/src/index.ts';
import { useList } from '../../../api/list.ts';
import { useTermsById } from '../../../content/terms.ts';
import type { Term, TermKind } from '../../../content/terms.ts';
import { useText } from '../../../text/texts.ts';
import { MultiSelect, Select, useDebouncedValue } from '../../../ui/controls.ts';
import { panelTexts } from './text.ts';

interface NamesPage {
  readonly items: readonly Term[];
  readonly next_cursor: string | null;
}

const PAUSE_MS = 200;
const FIELDS = ['id', 'name'] as const;

export interface OnePickerProps {
  readonly resource: TermKind;
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly error: string | undefined;
}

/** One of the Site's categories or authors, found by the beginning of its name. */
export function OnePicker({ resource, label, value, onChange, error }: OnePickerProps): ReactNode {
  const text = useText(panelTexts);
  const [typed, setTyped] = useState('');
  const options = useOptions(resource, typed, value === null ? [] : [value]);
  return (
    <Select
      label={label}
      data={options}
      value={value}
      onChange={onChange}
      error={error}
      placeholder={text.none}
      nothingFoundMessage={text.nothingFound}
      searchable
      clearable
      filter={({ options: found }) => found}
      onSearchChange={setTyped}
      dir="auto"
    />
  );
}

export interface TagsPickerProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (ids: string[]) => void;
  readonly error: string | undefined;
}

const MOST_TAGS = 100;

export function TagsPicker({ label, value, onChange, error }: TagsPickerProps): ReactNode {
  const text = useText(panelTexts);
  const [typed, setTyped] = useState('');
  const options = useOptions('tags', typed, value);
  return (
    <MultiSelect
      label={label}
      data={options}
      value={[...value]}
      onChange={onChange}
      error={error}
      placeholder={value.length === 0 ? text.none : undefined}
      nothingFoundMessage={text.nothingFound}
      maxValues={MOST_TAGS}
      searchable
      hidePickedOptions
      filter={({ options: found }) => found}
      searchValue={typed}
      onSearchChange={setTyped}
      dir="auto"
    />
  );
}

interface Query {
  readonly limit: number;
  readonly cursor?: string;
  readonly q?: string;
}
type Read = (presswork: Presswork, query: Query, options: { signal: AbortSignal }) => PromiseLike<NamesPage>;

const lists: Readonly<Record<TermKind, Read>> = {
  categories: (presswork, query, options) => presswork.categories.list({ ...query, fields: FIELDS }, options),
  tags: (presswork, query, options) => presswork.tags.list({ ...query, fields: FIELDS }, options),
  authors: (presswork, query, options) => presswork.authors.list({ ...query, fields: FIELDS }, options),
};

/** Values that begin with the typed text, and earlier picks. */
function useOptions(
  resource: TermKind,
  typed: string,
  picked: readonly string[],
): { value: string; label: string }[] {
  const known = useTermsById(resource, picked);
  // The picked value stands in the field as if it had been typed.
  const isPicked = known.some(({ name }) => name === typed);
  const [q] = useDebouncedValue(isPicked ? '' : typed.trim(), PAUSE_MS);
  const found = useList<Term>({
    key: [resource, 'names', q],
    load: (presswork, page, options) =>
      lists[resource](presswork, { ...page, ...(q !== '' && { q }) }, options),
  }).rows;
  const all = new Map([...found, ...known].map(({ id, name }) => [id, name]));
  return [...all].map(([id, name]) => ({ value: id, label: name }));
}
