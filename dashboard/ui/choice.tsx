import type { ReactNode } from 'react';
import { NativeSelect } from '@mantine/core';

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** The name of no choice, such as “Any”. */
  readonly any: string;
  readonly options: readonly (Value | { readonly value: Value; readonly label: string })[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

/** A choice among known values, or none of them, by the browser's own control. */
export function Choice<Value extends string>({
  label,
  any,
  options,
  value,
  onChange,
}: ChoiceProps<Value>): ReactNode {
  const values = options.map((option) => (typeof option === 'string' ? option : option.value));
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: any }, ...options]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(values.find((each) => each === currentTarget.value))}
    />
  );
}
