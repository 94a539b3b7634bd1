import type { ReactNode } from 'react';
import { isMissing } from '../api/queries.ts';
import { texts, useText } from '../text/texts.ts';
import { ButtonLink } from './links.ts';
import { EmptyState, ErrorNote } from './notes.tsx';
import type { Crumb } from './page.tsx';

const unreadTexts = texts(
  {
    title: 'There is nothing at this address',
    about: 'It may have been deleted, or the address has a mistake.',
  },
  {
    title: 'Unter dieser Adresse gibt es nichts',
    about: 'Vielleicht wurde es gelöscht, oder die Adresse enthält einen Fehler.',
  },
);

export interface UnreadProps {
  readonly error: unknown;
  readonly retry: () => void;
  /** What to say if it does not exist: “There is no such run”. */
  readonly missing?: string;
  /** Where to go on if it does not exist: reading it again would not help. */
  readonly back: Crumb;
}

/** Stands where the one object of a screen would stand, if it could not be read. */
export function Unread({ error, retry, missing, back }: UnreadProps): ReactNode {
  const text = useText(unreadTexts);
  if (!isMissing(error)) return <ErrorNote error={error} retry={retry} />;
  return (
    <EmptyState
      title={missing ?? text.title}
      action={
        <ButtonLink variant="default" to={back.to}>
          {back.label}
        </ButtonLink>
      }
    >
      {text.about}
    </EmptyState>
  );
}
