import { useState } from 'react';
import type { ReactNode } from 'react';
import { texts, useText } from '../text/texts.ts';
import { MultiSelect, Select, useDebouncedValue } from '../ui/controls.ts';
import { useTerm, useTerms } from './terms.ts';
import type { Term, TermKind } from './terms.ts';

const pickerTexts = texts(
  { none: 'Nothing has this name.', clear: 'Clear' },
  { none: 'Nichts heißt so.', clear: 'Leeren' },
);

const SEARCH_MS = 200;

export interface TermPickerProps {
  readonly kind: TermKind;
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly name?: string;
  readonly error?: string | undefined;
}

/** Picks a category, tag or author by the beginning of its name, however many there are. */
export function TermPicker({ kind, value, onChange, ...props }: TermPickerProps): ReactNode {
  const text = useText(pickerTexts);
  const chosen = useTerm(kind, value);
  const { found, typed, setTyped } = useSearch(kind, chosen?.name);
  return (
    <Select
      {...props}
      data={optionsOf(found, chosen === null ? [] : [chosen])}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': text.clear }}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={text.none}
    />
  );
}

export interface TermsPickerProps extends Omit<TermPickerProps, 'value' | 'onChange'> {
  readonly value: readonly string[];
  readonly onChange: (ids: string[]) => void;
  /** The names of those that are chosen, as far as they are known. */
  readonly known?: readonly Term[];
}

/** Picks any number of them. */
export function TermsPicker({ kind, value, onChange, known = [], ...props }: TermsPickerProps): ReactNode {
  const text = useText(pickerTexts);
  const [seen, setSeen] = useState<readonly Term[]>([]);
  const { found, typed, setTyped } = useSearch(kind, undefined);
  const choose = (ids: string[]): void => {
    setSeen([...known, ...seen, ...found].filter(({ id }) => ids.includes(id)));
    onChange(ids);
  };
  return (
    <MultiSelect
      {...props}
      data={optionsOf(
        found,
        [...known, ...seen].filter(({ id }) => value.includes(id)),
      )}
      value={[...value]}
      onChange={choose}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': text.clear }}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={text.none}
    />
  );
}

/** @param chosen the name that stands in the field when nothing is typed */
function useSearch(kind: TermKind, chosen: string | undefined) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed === chosen ? '' : typed.trim(), SEARCH_MS);
  return { found: useTerms(kind, q), typed, setTyped };
}

function optionsOf(found: readonly Term[], chosen: readonly Term[]): { value: string; label: string }[] {
  const all = new Map([...chosen, ...found].map(({ id, name }) => [id, name]));
  return [...all].map(([value, label]) => ({ value, label }));
}
