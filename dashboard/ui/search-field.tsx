import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Icon } from './icons.tsx';

const WAIT_MS = 250;

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** What the address says. */
  readonly value: string;
  /** Called when the person stops typing. */
  readonly onChange: (q: string) => void;
  readonly className?: string | undefined;
}

/** The search of a list; the key / leads to it. */
export function SearchField({ value, onChange, ...props }: SearchFieldProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const send = useDebouncedCallback((q: string) => onChange(q.trim()), WAIT_MS);
  // The address changed by itself, such as by the Back button; spaces that are being typed stay.
  useEffect(() => setTyped((typed) => (typed.trim() === value ? typed : value)), [value]);
  return (
    <TextInput
      {...props}
      type="search"
      dir="auto"
      aria-keyshortcuts="/"
      maxLength={200}
      leftSection={<Icon name="search" />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}
