import type { ReactNode } from 'react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { siteQuery, useSite, useSiteId } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import styles from './settings.module.css';
import { SiteForm } from './site-form.tsx';
import { screenTexts } from './text.ts';

/** The Site: its administrators change it, and everybody reads it. */
export function SiteSettings(): ReactNode {
  const text = useText(screenTexts).site;
  const format = useFormat();
  const { rights } = useSite();
  const { site } = useSuspenseQuery(siteQuery(useSiteId())).data;
  const mayChange = rights.administers && rights.can('keys:write');
  const rows = [
    ...(mayChange
      ? []
      : [[text.name, site.name] as const, [text.locale, site.locale], [text.timezone, site.timezone]]),
    [text.domain, site.domain],
    [text.files, site.public_base_url],
    [text.created, format.date(site.created_at, site.timezone)],
  ] as const;
  return (
    <section className={styles.section} aria-labelledby="site">
      <h2 id="site">{text.title}</h2>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {mayChange && <SiteForm saved={site} />}
    </section>
  );
}
