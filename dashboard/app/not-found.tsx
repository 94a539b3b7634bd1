import type { ReactNode } from 'react';
import { texts, useText } from '../text/texts.ts';
import { ButtonLink } from '../ui/links.ts';
import { EmptyState } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';

const notFoundTexts = texts(
  {
    title: 'Page not found',
    about: 'There is nothing at this address',
    why: 'It may be mistyped, or what was here has been deleted.',
    home: 'Go to the start page',
  },
  {
    title: 'Seite nicht gefunden',
    about: 'Unter dieser Adresse gibt es nichts',
    why: 'Vielleicht enthält sie einen Tippfehler, oder der Inhalt wurde gelöscht.',
    home: 'Zur Startseite',
  },
);

export function NotFound(): ReactNode {
  const text = useText(notFoundTexts);
  const home = (
    <ButtonLink variant="default" to="/">
      {text.home}
    </ButtonLink>
  );
  return (
    <Page title={text.title}>
      <EmptyState title={text.about} action={home}>
        {text.why}
      </EmptyState>
    </Page>
  );
}
