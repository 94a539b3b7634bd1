import type { ReactNode } from 'react';
import { useText } from '../text/texts.ts';
import { Select } from '../ui/controls.ts';
import { periods, periodTexts } from './period.ts';
import type { Period } from './period.ts';

export interface PeriodSelectProps {
  readonly value: Period | undefined;
  readonly onChange: (period: Period | undefined) => void;
}

export function PeriodSelect({ value, onChange }: PeriodSelectProps): ReactNode {
  const text = useText(periodTexts);
  return (
    <Select
      label={text.label}
      data={[
        { value: '', label: text.any },
        ...periods.map((period) => ({ value: period, label: text[period] })),
      ]}
      value={value ?? ''}
      allowDeselect={false}
      onChange={(chosen) => onChange(periods.find((period) => period === chosen))}
    />
  );
}
