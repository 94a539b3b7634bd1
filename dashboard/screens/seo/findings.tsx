import { useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { Finding } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { ArticleName, MOST_NAMES } from '../../content/article-name.tsx';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Expander } from '../../ui/expander.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Evidence } from './evidence.tsx';
import { FindingActions } from './finding-actions.tsx';
import { FindingFilterFields } from './finding-filters.tsx';
import { Layout } from './layout.tsx';
import { useRules } from './rules.ts';
import { StartButton } from './start-button.tsx';
import styles from './seo.module.css';
import { screenTexts } from './text.ts';

const route = getRouteApi('/$siteId/seo');

/** The findings of scans. */
export function Screen(): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const rules = useRules();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { status = 'open', article, ...others } = filters;
  const list = useList<Finding>({
    key: ['seo', 'findings', filters],
    load: (presswork, page, options) =>
      presswork.seo.listFindings(
        { ...others, ...page, article_id: article, status: status === 'all' ? undefined : [status] },
        options,
      ),
  });
  const toggle = (id: string): void => {
    const ids = new Set(opened);
    if (!ids.delete(id)) ids.add(id);
    setOpened(ids);
  };
  const isFiltered = Object.keys(filters).length > 0;
  const start = rights.can('pipeline:run') && <StartButton />;
  return (
    <Layout actions={start}>
      <FindingFilterFields
        filters={filters}
        onChange={(search) => void navigate({ search, replace: true })}
      />
      <DataTable
        label={text.findings}
        list={list}
        columns={useColumns(list.rows, opened, toggle)}
        idOf={({ id }) => id}
        nameOf={({ rule }) => rules(rule).name}
        onOpen={({ id }) => toggle(id)}
        {...(rights.can('articles:write') && {
          actions: (finding: Finding) => <FindingActions finding={finding} />,
        })}
        empty={
          <EmptyState
            title={isFiltered ? text.noMatch : text.noFindings}
            action={
              isFiltered ? (
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  {text.clear}
                </Button>
              ) : (
                start
              )
            }
          >
            {isFiltered ? text.noMatchAbout : text.noFindingsAbout}
          </EmptyState>
        }
      />
    </Layout>
  );
}

const tones: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn', notice: 'quiet' };

function useColumns(
  rows: readonly Finding[],
  opened: ReadonlySet<string>,
  onToggle: (id: string) => void,
): readonly Column<Finding>[] {
  const text = useText(screenTexts);
  const named = new Set(rows.slice(0, MOST_NAMES));
  const rules = useRules();
  const severities: Readonly<Record<string, string>> = text.severities;
  return [
    {
      key: 'rule',
      title: text.columns.rule,
      main: true,
      cell: (finding) => {
        const { name, advice } = rules(finding.rule);
        const isOpen = opened.has(finding.id);
        return (
          <div className={styles.finding}>
            <Expander isOpen={isOpen} onToggle={() => onToggle(finding.id)}>
              {name}
            </Expander>
            <span className={styles.soft}>{advice}</span>
            {isOpen && <Evidence finding={finding} />}
          </div>
        );
      },
    },
    {
      key: 'severity',
      title: text.columns.severity,
      cell: ({ severity }) => (
        <Sign tone={tones[severity] ?? 'quiet'}>{severities[severity] ?? severity}</Sign>
      ),
    },
    {
      key: 'where',
      title: text.columns.where,
      cell: (finding) => <Where finding={finding} isNamed={named.has(finding)} />,
    },
    {
      key: 'seen',
      title: text.columns.seen,
      cell: ({ last_seen_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

interface WhereProps {
  readonly finding: Finding;
  readonly isNamed: boolean;
}

/** The article or the page. Only addresses of the web become links. */
function Where({ finding: { article_id: articleId, url }, isNamed }: WhereProps): ReactNode {
  return (
    <span className={styles.where}>
      {articleId !== null && <ArticleName id={articleId} isNamed={isNamed} />}
      {url !== null &&
        (/^https?:\/\//.test(url) ? (
          <a href={url} target="_blank" rel="noreferrer noopener">
            {url}
          </a>
        ) : (
          <span>{url}</span>
        ))}
    </span>
  );
}
