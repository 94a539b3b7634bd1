import type { ReactNode } from 'react';
import { useSite } from '../../../api/site.ts';
import { useText } from '../../../text/texts.ts';
import { useSaving } from '../article/use-article.ts';
import { screenTexts } from '../text.ts';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

/** The address of an article elsewhere: as GET /articles/{id}/meta says. */
function useShown() {
  const { title, seo_title: seoTitle, seo_description: about, excerpt } = useSaving(({ mine }) => mine);
  return { title: seoTitle || title, description: about || excerpt };
}

/** How a search engine may show the article. */
export function SearchResult(): ReactNode {
  const text = useText(panelTexts);
  const screen = useText(screenTexts);
  const { domain, name } = useSite();
  const slug = useSaving(({ mine }) => mine.slug);
  const { title, description } = useShown();
  return (
    <section className={styles.result} aria-label={text.result}>
      <p className={styles.address}>
        <bdi>{name}</bdi> · {domain} › {slug ?? '…'}
      </p>
      <p className={styles.resultTitle} dir="auto">
        {title || screen.untitled}
      </p>
      <p className={styles.description} dir="auto">
        {description || text.noDescription}
      </p>
    </section>
  );
}

/** The card that a chat or a social network may make of a link to the article. */
export function SocialCard(): ReactNode {
  const text = useText(panelTexts);
  const screen = useText(screenTexts);
  const { domain, filesUrl } = useSite();
  const image = useSaving(({ mine }) => mine.featured_image_url);
  const { title, description } = useShown();
  return (
    <section className={styles.card} aria-label={text.card}>
      {image !== null && isOwn(image, filesUrl) ? (
        <img className={styles.cardImage} src={image} alt="" />
      ) : (
        <p className={styles.cardImage}>{image === null ? text.noCardImage : text.foreignImage}</p>
      )}
      <div>
        <p className={styles.address}>{domain}</p>
        <p className={styles.cardTitle} dir="auto">
          {title || screen.untitled}
        </p>
        <p className={styles.description} dir="auto">
          {description}
        </p>
      </div>
    </section>
  );
}

/** Whether an image is from the Site's media: the dashboard loads nothing from elsewhere. */
const isOwn = (image: string, filesUrl: string): boolean =>
  image.includes(`/public/${filesUrl.split('/').at(-1)}/`);
