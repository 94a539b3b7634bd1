import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { useSaving } from '../article/use-article.ts';
import { Notes } from './notes.tsx';
import { Review } from './review.tsx';
import { reviewTexts } from './text.ts';
import styles from './review.module.css';

/** What the team says about the text: whether it may be published, and remarks on its parts. */
export function ReviewPanel(): ReactNode {
  const text = useText(reviewTexts);
  const articleId = useSaving(({ base }) => base.id);
  if (articleId === null) return <p className={styles.about}>{text.unsaved}</p>;
  return (
    <>
      <Review articleId={articleId} />
      <Notes articleId={articleId} />
    </>
  );
}
