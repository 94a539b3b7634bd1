import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { SessionProvider, useOpenArticle } from './article/use-article.ts';
import { Editor } from './editor.tsx';
import { screenTexts } from './text.ts';

const route = getRouteApi('/$siteId/articles/$articleId');

/** The name of a new article in the address. */
const NEW = 'new';

export function Screen(): ReactNode {
  const { articleId } = route.useParams();
  const opened = useOpenArticle(articleId === NEW ? null : articleId);
  if (opened.kind === 'opening') return <Loading />;
  if (opened.kind === 'failed') return <NotOpened error={opened.error} retry={opened.retry} />;
  return (
    <SessionProvider key={opened.session.key} value={opened.session}>
      <Editor />
    </SessionProvider>
  );
}

interface NotOpenedProps {
  readonly error: unknown;
  readonly retry: () => void;
}

/** With the way back to the list, which the editor's own head has otherwise. */
function NotOpened({ error, retry }: NotOpenedProps): ReactNode {
  const { id: siteId } = useSite();
  const { articles, article } = useText(screenTexts);
  const list = { label: articles, to: `/${siteId}/articles` };
  return (
    <Page title={article} crumbs={[list]}>
      <Unread error={error} retry={retry} back={list} />
    </Page>
  );
}
