import { useState } from 'react';
import type { ReactNode } from 'react';
import { articleStatuses } from '../../content/statuses.ts';
import type { ArticleStatus } from '../../content/statuses.ts';
import { TermPicker } from '../../content/term-picker.tsx';
import { useText } from '../../text/texts.ts';
import { Button, Select } from '../../ui/controls.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { orders } from './search.ts';
import type { Filters } from './search.ts';
import styles from './filter-bar.module.css';
import { screenTexts } from './text.ts';

/** The others belong to the pipeline, and are shown when asked for. */
const common: readonly ArticleStatus[] = ['draft', 'scheduled', 'published'];

export interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** What is listed; all of it is in the address. */
export function FilterBar({ filters, onChange }: FilterBarProps): ReactNode {
  const text = useText(screenTexts);
  const set = (part: Partial<Record<keyof Filters, unknown>>): void =>
    onChange(withoutNothing({ ...filters, ...part }));
  return (
    <search className={styles.bar}>
      <div className={styles.fields}>
        <SearchField
          className={styles.search}
          label={text.search}
          placeholder={text.searchHint}
          value={filters.q ?? ''}
          onChange={(q) => set({ q })}
        />
        {(['category', 'tag', 'author'] as const).map((name) => (
          <TermPicker
            key={name}
            kind={name === 'category' ? 'categories' : `${name}s`}
            label={text[name]}
            placeholder={text.any}
            value={filters[name] ?? null}
            onChange={(id) => set({ [name]: id })}
          />
        ))}
        <Select
          label={text.order}
          data={orders.map((value) => ({ value, label: text.orders[value] }))}
          value={filters.order ?? 'updated_at.desc'}
          allowDeselect={false}
          onChange={(order) => set({ order: order === 'updated_at.desc' ? null : order })}
        />
      </div>
      <Statuses chosen={filters.status ?? []} onChange={(status) => set({ status })} />
    </search>
  );
}

/** Nothing said and nothing chosen are the same address. */
const withoutNothing = (filters: Partial<Record<keyof Filters, unknown>>): Filters =>
  Object.fromEntries(
    Object.entries(filters).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );

interface StatusesProps {
  readonly chosen: readonly ArticleStatus[];
  readonly onChange: (chosen: readonly ArticleStatus[]) => void;
}

function Statuses({ chosen, onChange }: StatusesProps): ReactNode {
  const text = useText(screenTexts);
  const [all, setAll] = useState(false);
  const shown = articleStatuses.filter((status) => all || common.includes(status) || chosen.includes(status));
  const toggle = (status: ArticleStatus): void =>
    onChange(articleStatuses.filter((each) => chosen.includes(each) !== (each === status)));
  return (
    <div className={styles.statuses} role="group" aria-label={text.status}>
      {shown.map((status) => (
        <button
          key={status}
          type="button"
          className={styles.chip}
          aria-pressed={chosen.includes(status)}
          onClick={() => toggle(status)}
        >
          <StatusBadge status={status} />
        </button>
      ))}
      <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? text.fewer : text.more}
      </Button>
    </div>
  );
}
