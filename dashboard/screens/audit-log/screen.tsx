import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { screenTexts } from './text.ts';

export function Screen(): ReactNode {
  const text = useText(screenTexts);
  return (
    <Page title={text.title}>
      <EmptyState title={text.missing} />
    </Page>
  );
}
