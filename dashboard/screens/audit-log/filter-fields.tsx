import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextInput } from '../../ui/controls.ts';
import { Filters } from '../../ui/filters.tsx';
import { actionTexts } from './actions.ts';
import { isId } from './query.ts';
import type { AuditFilters } from './search.ts';
import { screenTexts } from './text.ts';

export interface FilterFieldsProps {
  readonly filters: AuditFilters;
  readonly onChange: (part: AuditFilters) => void;
}

const filled = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());

/** The filters of the log; all of them are in the address. */
export function FilterFields({ filters, onChange }: FilterFieldsProps): ReactNode {
  const text = useText(screenTexts);
  const actions = useText(actionTexts);
  return (
    <Filters>
      <Choice
        label={text.action}
        any={text.anyAction}
        options={Object.entries(actions).map(([value, label]) => ({ value, label }))}
        value={filters.action}
        onChange={(action) => onChange({ action })}
      />
      {(['actor', 'target'] as const).map((name) => (
        <TextInput
          key={name}
          label={text[name]}
          maxLength={36}
          spellCheck={false}
          value={filters[name] ?? ''}
          error={filters[name] !== undefined && !isId(filters[name]) && text.notAnId}
          onChange={({ currentTarget }) => onChange({ [name]: filled(currentTarget.value) })}
        />
      ))}
      {(['since', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={text[name]}
          value={filters[name] ?? ''}
          onChange={({ currentTarget }) => onChange({ [name]: filled(currentTarget.value) })}
        />
      ))}
    </Filters>
  );
}
