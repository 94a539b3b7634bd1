import type { ReactNode } from 'react';
import { useText } from '../text/texts.ts';
import { Choice } from '../ui/choice.tsx';
import { periods, periodTexts } from './period.ts';
import type { Period } from './period.ts';

export interface PeriodSelectProps {
  readonly value: Period | undefined;
  readonly onChange: (period: Period | undefined) => void;
}

export function PeriodSelect({ value, onChange }: PeriodSelectProps): ReactNode {
  const text = useText(periodTexts);
  return (
    <Choice
      label={text.label}
      any={text.any}
      options={periods.map((period) => ({ value: period, label: text[period] }))}
      value={value}
      onChange={onChange}
    />
  );
}
