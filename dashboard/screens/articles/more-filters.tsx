import type { ReactNode } from 'react';
import { origins, originTexts } from '../../content/origin.tsx';
import { TermPicker } from '../../content/term-picker.tsx';
import { useText } from '../../text/texts.ts';
import { MultiSelect, Select } from '../../ui/controls.ts';
import styles from './filter-bar.module.css';
import { orders } from './search.ts';
import type { Filters } from './search.ts';
import { screenTexts } from './text.ts';

export type SetFilters = (part: Partial<Record<keyof Filters, unknown>>) => void;

export interface MoreFiltersProps {
  readonly filters: Filters;
  readonly onChange: SetFilters;
}

/** Where the articles belong, and their order. */
export function MoreFilters({ filters, onChange: set }: MoreFiltersProps): ReactNode {
  const text = useText(screenTexts);
  const names = useText(originTexts);
  return (
    <div className={styles.more}>
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
      <MultiSelect
        label={names.label}
        placeholder={filters.origin === undefined ? text.any : ''}
        data={origins.map((value) => ({ value, label: names[value] }))}
        value={[...(filters.origin ?? [])]}
        onChange={(origin) => set({ origin })}
      />
      <Select
        label={text.order}
        data={orders.map((value) => ({ value, label: text.orders[value] }))}
        value={filters.order ?? 'updated_at.desc'}
        allowDeselect={false}
        onChange={(order) => set({ order: order === 'updated_at.desc' ? null : order })}
      />
    </div>
  );
}
