import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { texts, useText } from '../text/texts.ts';
import { EmptyState } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';

const notFoundTexts = texts(
  {
    title: 'Page not found',
    about: 'The address may be mistyped, or what was here has been deleted.',
    home: 'Go to the start page',
  },
  {
    title: 'Seite nicht gefunden',
    about: 'Vielleicht enthält die Adresse einen Tippfehler, oder der Inhalt wurde gelöscht.',
    home: 'Zur Startseite',
  },
);

export function NotFound(): ReactNode {
  const text = useText(notFoundTexts);
  return (
    <Page title={text.title}>
      <EmptyState title={text.about} action={<Link to="/">{text.home}</Link>} />
    </Page>
  );
}
