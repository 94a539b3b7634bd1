import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ButtonLink } from '../../ui/links.ts';
import { Page } from '../../ui/page.tsx';
import { Attention } from './attention.tsx';
import { useFacts } from './facts.ts';
import { FirstSteps } from './first-steps.tsx';
import { RecentArticles } from './recent-articles.tsx';
import { screenTexts } from './text.ts';

/** How many of the recently changed articles are shown. */
const RECENT = 8;

/** What to do first, what needs attention, and where one left off. */
export function Screen(): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(screenTexts);
  const facts = useFacts();
  const recent = useItem({
    key: ['articles', 'home', 'recent'],
    load: (presswork, options) =>
      presswork.articles.list({ limit: RECENT, fields: ['title', 'status', 'updated_at'] }, options),
    enabled: rights.can('articles:read'),
  });
  const create = rights.can('articles:write') && (
    <ButtonLink to="/$siteId/articles/$articleId" params={{ siteId, articleId: 'new' }}>
      {text.newArticle}
    </ButtonLink>
  );
  return (
    <Page title={text.title} actions={create}>
      <FirstSteps facts={facts} recent={recent} />
      <Attention facts={facts} />
      {rights.can('articles:read') && <RecentArticles recent={recent} />}
    </Page>
  );
}
