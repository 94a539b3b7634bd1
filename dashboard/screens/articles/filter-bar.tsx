import { useState } from 'react';
import type { ReactNode } from 'react';
import { articleStatuses } from '../../content/statuses.ts';
import type { ArticleStatus } from '../../content/statuses.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StatusBadge } from '../../content/status-badge.tsx';
import type { SetFilters } from './more-filters.tsx';
import type { Filters } from './search.ts';
import styles from './filter-bar.module.css';
import { screenTexts } from './text.ts';

/** The others belong to the pipeline, and are shown when asked for. */
const common: readonly ArticleStatus[] = ['draft', 'scheduled', 'published'];

/** The filters that are behind a button, unless one of them is set. */
const hidden = ['origin', 'category', 'tag', 'author', 'order'] as const;

const MoreFilters = onDemand(async () => (await import('./more-filters.tsx')).MoreFilters);

export interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The filters of the list; all of them are in the address. */
export function FilterBar({ filters, onChange }: FilterBarProps): ReactNode {
  const text = useText(screenTexts);
  const [isOpen, setOpen] = useState(hidden.some((name) => filters[name] !== undefined));
  const set: SetFilters = (part) => onChange(withoutNothing({ ...filters, ...part }));
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
        <Button
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          leftSection={<Icon name="filter" />}
        >
          {text.filters}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" onClick={() => onChange({})}>
            {text.clear}
          </Button>
        )}
      </div>
      {isOpen && <MoreFilters filters={filters} onChange={set} />}
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
