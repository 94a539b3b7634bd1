import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Claim } from '../../../../sdk/src/index.ts';
import { useList } from '../../../api/list.ts';
import { useText } from '../../../text/texts.ts';
import { Checkbox, UnstyledButton } from '../../../ui/controls.ts';
import { ErrorNote } from '../../../ui/notes.tsx';
import { Sign } from '../../../ui/sign.tsx';
import { useSaving } from '../article/use-article.ts';
import { show } from '../review/place.ts';
import { claimTexts } from './text.ts';
import styles from './claims.module.css';

const tones = { supported: 'good', weak: 'warn', unsupported: 'bad' } as const;
type Verdict = keyof typeof tones;

/** What the text claims, in its order, and what the sources say of it. */
export function ClaimsPanel(): ReactNode {
  const text = useText(claimTexts);
  const articleId = useSaving(({ base }) => base.id);
  if (articleId === null) return <p className={styles.about}>{text.none}</p>;
  return <Claims articleId={articleId} />;
}

function Claims({ articleId }: { readonly articleId: string }): ReactNode {
  const text = useText(claimTexts);
  const [onlyWithout, setOnlyWithout] = useState(false);
  // Claims move with the text.
  const etag = useSaving(({ base }) => base.etag);
  const list = useList({
    key: ['claims', { articleId, etag }],
    load: (presswork, page, options) =>
      presswork.articles.listClaims(articleId, { ...page, limit: 100 }, options),
  });
  const sources = useSaving(({ base }) => base.fields.sources);
  // All are counted; there are a few pages at most.
  const { rows, error, hasMore, isLoadingMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore && error === null) loadMore();
  }, [hasMore, isLoadingMore, error, loadMore]);
  // What somebody has taken out of the text needs no source.
  const made = rows.filter(({ position }) => position !== null);
  const without = made.filter(({ verdict }) => verdict === 'unsupported');
  const supported = made.filter(({ verdict }) => verdict === 'supported');
  if (error !== null) return <ErrorNote error={error} retry={list.reload} />;
  if (rows.length === 0) return list.isLoading ? null : <p className={styles.about}>{text.none}</p>;
  return (
    <>
      <p className={styles.about} role="status">
        {text.summary(supported.length, made.length)}
      </p>
      <Checkbox
        label={text.onlyWithout(without.length)}
        checked={onlyWithout}
        onChange={({ currentTarget }) => setOnlyWithout(currentTarget.checked)}
      />
      <ol className={styles.claims}>
        {(onlyWithout ? without : rows).map((claim) => (
          <li key={claim.id}>
            <OneClaim claim={claim} source={sources?.find(({ n }) => n === claim.source_n)} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface OneClaimProps {
  readonly claim: Claim;
  readonly source: { readonly url: string; readonly title: string | null } | undefined;
}

function OneClaim({ claim, source }: OneClaimProps): ReactNode {
  const text = useText(claimTexts);
  const { position, evidence } = claim;
  const verdict = claim.verdict as Verdict;
  return (
    <>
      <Sign tone={tones[verdict]}>{text.verdicts[verdict]}</Sign>
      {position === null ? (
        <>
          <p className={styles.gone} dir="auto">
            {claim.text}
          </p>
          <p className={styles.about}>{text.gone}</p>
        </>
      ) : (
        <UnstyledButton
          className={styles.claim}
          dir="auto"
          aria-label={text.show(claim.text)}
          onClick={() => show(claim.text, position.start)}
        >
          {claim.text}
        </UnstyledButton>
      )}
      {evidence !== null && (
        <blockquote className={styles.evidence}>
          <p dir="auto">{evidence}</p>
          <footer className={styles.about}>
            {claim.source_n === null && text.notes}
            {claim.source_n !== null && source === undefined && text.source(claim.source_n)}
            {source !== undefined && (
              <a href={source.url} target="_blank" rel="noreferrer noopener" dir="auto">
                {source.title ?? source.url}
              </a>
            )}
          </footer>
        </blockquote>
      )}
    </>
  );
}
