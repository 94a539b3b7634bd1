import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { Filters } from '../../ui/filters.tsx';
import { kinds, severities } from './search.ts';
import type { FindingFilters } from './search.ts';
import { screenTexts } from './text.ts';

export interface FindingFilterFieldsProps {
  readonly filters: FindingFilters;
  readonly onChange: (filters: FindingFilters) => void;
}

/** The filters of the list; all of them are in the address. */
export function FindingFilterFields({ filters, onChange }: FindingFilterFieldsProps): ReactNode {
  const text = useText(screenTexts);
  const set = (part: Partial<Record<keyof FindingFilters, unknown>>): void =>
    onChange(
      Object.fromEntries(Object.entries({ ...filters, ...part }).filter(([, value]) => value !== undefined)),
    );
  return (
    <Filters>
      <Choice
        label={text.status}
        any={text.statuses.open}
        options={[
          { value: 'dismissed', label: text.statuses.dismissed },
          { value: 'fixed', label: text.statuses.fixed },
          { value: 'all', label: text.all },
        ]}
        value={filters.status}
        onChange={(status) => set({ status })}
      />
      <Choice
        label={text.kind}
        any={text.anyKind}
        options={kinds.map((value) => ({ value, label: text.kinds[value] }))}
        value={filters.kind}
        onChange={(kind) => set({ kind })}
      />
      <Choice
        label={text.severity}
        any={text.anySeverity}
        options={severities.map((value) => ({ value, label: text.severities[value] }))}
        value={filters.severity}
        onChange={(severity) => set({ severity })}
      />
    </Filters>
  );
}
