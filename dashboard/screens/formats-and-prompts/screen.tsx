import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ButtonLink } from '../../ui/links.ts';
import { Page } from '../../ui/page.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Formats } from './formats.tsx';
import { Prompts } from './prompts.tsx';
import { screenTexts } from './text.ts';
import styles from './screen.module.css';

const Voice = onDemand(async () => (await import('./voice.tsx')).Voice);

const route = getRouteApi('/$siteId/formats-and-prompts');

/** How articles are built, and what the AI is told. */
export function Screen(): ReactNode {
  const { id: siteId, rights } = useSite();
  const { show } = route.useSearch();
  const text = useText(screenTexts);
  const mayWrite = rights.can('prompts:write');
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        mayWrite &&
        show === undefined && (
          <ButtonLink to="/$siteId/formats-and-prompts" params={{ siteId }} search={{ format: 'new' }}>
            {text.formats.create}
          </ButtonLink>
        )
      }
    >
      {mayWrite && (
        <nav className={styles.tabs} aria-label={text.tabs.label}>
          <Link
            to="/$siteId/formats-and-prompts"
            params={{ siteId }}
            className={styles.tab}
            aria-current={show === undefined ? 'page' : undefined}
            activeOptions={{ exact: true }}
          >
            {text.tabs.formats}
          </Link>
          <Link
            to="/$siteId/formats-and-prompts"
            params={{ siteId }}
            search={{ show: 'prompts' }}
            className={styles.tab}
          >
            {text.tabs.prompts}
          </Link>
          <Link
            to="/$siteId/formats-and-prompts"
            params={{ siteId }}
            search={{ show: 'voice' }}
            className={styles.tab}
          >
            {text.tabs.voice}
          </Link>
        </nav>
      )}
      {mayWrite && show === 'prompts' && <Prompts />}
      {mayWrite && show === 'voice' && <Voice />}
      {(!mayWrite || show === undefined) && <Formats />}
    </Page>
  );
}
