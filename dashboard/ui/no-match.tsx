import type { ReactNode } from 'react';
import { Button } from './controls.ts';
import { EmptyState } from './notes.tsx';

export interface NoMatchProps {
  readonly text: { readonly noMatch: string; readonly noMatchAbout: string; readonly clear: string };
  readonly onClear: () => void;
}

/** Stands where the rows of a list would stand that its filters leave out. */
export const NoMatch = ({ text, onClear }: NoMatchProps): ReactNode => (
  <EmptyState
    title={text.noMatch}
    action={
      <Button variant="default" onClick={onClear}>
        {text.clear}
      </Button>
    }
  >
    {text.noMatchAbout}
  </EmptyState>
);
