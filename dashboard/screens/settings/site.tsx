import type { ReactNode } from 'react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { siteQuery, useSiteId } from '../../session/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

/** What the API says of the Site; it cannot be changed there. */
export function SiteSettings(): ReactNode {
  const text = useText(screenTexts).site;
  const format = useFormat();
  const { site } = useSuspenseQuery(siteQuery(useSiteId())).data;
  const rows = [
    [text.name, site.name],
    [text.domain, site.domain],
    [text.locale, site.locale],
    [text.timezone, site.timezone],
    [text.created, format.date(site.created_at, site.timezone)],
  ] as const;
  return (
    <section className={styles.section} aria-labelledby="site">
      <h2 id="site">{text.title}</h2>
      <p className={styles.about}>{text.about}</p>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
