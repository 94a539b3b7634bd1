import type { ReactNode } from 'react';
import { Kbd } from '@mantine/core';

/** Keys beside what they do, for people who look; `aria-keyshortcuts` of the control says it to the others. */
export const KeyHint = ({ keys }: { readonly keys: readonly string[] }): ReactNode => (
  <span aria-hidden="true" style={{ display: 'inline-flex', gap: 3 }}>
    {keys.map((key) => (
      <Kbd key={key} size="xs">
        {key}
      </Kbd>
    ))}
  </span>
);
