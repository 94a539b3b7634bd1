import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { SessionProvider, useOpenArticle } from './article/use-article.ts';
import { Editor } from './editor.tsx';

const route = getRouteApi('/$siteId/articles/$articleId');

/** The name of a new article in the address. */
const NEW = 'new';

export function Screen(): ReactNode {
  const { articleId } = route.useParams();
  const opened = useOpenArticle(articleId === NEW ? null : articleId);
  if (opened.kind === 'opening') return <Loading />;
  if (opened.kind === 'failed') return <ErrorNote error={opened.error} retry={opened.retry} />;
  return (
    <SessionProvider key={opened.session.key} value={opened.session}>
      <Editor />
    </SessionProvider>
  );
}
