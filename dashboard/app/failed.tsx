import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { texts, useText } from '../text/texts.ts';
import { ErrorNote } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';

const failedTexts = texts(
  { title: 'This page cannot be shown' },
  { title: 'Diese Seite kann nicht angezeigt werden' },
);

/** Stands in place of a screen that has thrown; the navigation stays. */
export function Failed({ error, reset }: ErrorComponentProps): ReactNode {
  const text = useText(failedTexts);
  const queries = useQueryErrorResetBoundary();
  useEffect(() => queries.reset(), [queries]);
  // A new version of the dashboard was installed, and the files of this one are gone.
  const isOld = /dynamically imported module|Importing a module/.test(String(error));
  return (
    <Page title={text.title}>
      <ErrorNote error={error} retry={isOld ? () => location.reload() : reset} />
    </Page>
  );
}
