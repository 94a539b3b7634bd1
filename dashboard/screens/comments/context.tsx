import type { ReactNode } from 'react';
import type { Comment, Presswork } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { TextLink } from '../../ui/links.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { screenTexts } from './text.ts';
import styles from './context.module.css';

const PAGE = 100;
const MOST_PAGES = 5;

/** The comments of a thread, oldest first, from the newest comments of the article. */
async function loadThread(
  presswork: Presswork,
  { slug, root }: { slug: string; root: string },
  options: { signal: AbortSignal },
): Promise<readonly Comment[]> {
  const thread: Comment[] = [];
  let pages = 0;
  for await (const page of presswork.comments.list({ slug, limit: PAGE }, options).pages()) {
    thread.unshift(
      ...page.items.filter(({ id, parent_id: parent }) => id === root || parent === root).toReversed(),
    );
    pages += 1;
    if (pages === MOST_PAGES || thread.some(({ id }) => id === root)) break;
  }
  return thread;
}

/** The subject of a comment: its article, and the thread that it belongs to. */
export function Context({ comment }: { readonly comment: Comment }): ReactNode {
  const text = useText(screenTexts).context;
  const { id: siteId, rights } = useSite();
  const { article_id: articleId, slug } = comment;
  const article = useItem({
    key: ['articles', articleId, 'title'],
    load: (presswork, options) => presswork.articles.get(articleId, { fields: ['title'] }, options),
    enabled: rights.can('articles:read'),
  });
  return (
    <section className={styles.context}>
      <h2>{text.article}</h2>
      <p className={styles.article} dir="auto">
        {article.data === undefined ? slug : (article.data.title ?? text.untitled)}
      </p>
      <p className={styles.links}>
        <TextLink to="/$siteId/articles/$articleId" params={{ siteId, articleId }} inherit>
          {text.openArticle}
        </TextLink>
        {slug !== null && (
          <TextLink to="/$siteId/comments" params={{ siteId }} search={{ status: 'all', slug }} inherit>
            {text.comments}
          </TextLink>
        )}
      </p>
      {slug !== null && <Thread comment={comment} slug={slug} />}
    </section>
  );
}

function Thread({ comment, slug }: { readonly comment: Comment; readonly slug: string }): ReactNode {
  const text = useText(screenTexts);
  const root = comment.parent_id ?? comment.id;
  const { data, error, refetch } = useItem({
    key: ['comments', 'thread', root],
    load: (presswork, options) => loadThread(presswork, { slug, root }, options),
  });
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <>
      <h2>{text.context.title}</h2>
      {!data.some(({ id }) => id === root) && <p className={styles.none}>{text.context.notFound}</p>}
      <ol className={styles.thread}>
        {data.map((each) => (
          <li
            key={each.id}
            data-reply={each.id !== root || undefined}
            data-this={each.id === comment.id || undefined}
          >
            <p className={styles.by}>
              <bdi>{each.author_name}</bdi>
              <RelativeTime time={each.created_at} />
              {each.id === comment.id ? (
                <span>{text.context.thisOne}</span>
              ) : (
                each.status !== 'approved' && <span>{text.status[each.status as 'pending' | 'spam']}</span>
              )}
            </p>
            <p className={styles.body} dir="auto">
              {each.body}
            </p>
          </li>
        ))}
      </ol>
      {data.length === 1 && <p className={styles.none}>{text.context.noReplies}</p>}
    </>
  );
}
