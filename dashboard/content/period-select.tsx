import type { ReactNode } from 'react';
import { useText } from '../text/texts.ts';
import { Choice } from '../ui/choice.tsx';
import { periodTexts } from './period.ts';
import { periods } from './periods.ts';
import type { Period } from './periods.ts';

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
