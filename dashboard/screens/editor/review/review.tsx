import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Review as ReviewOf } from '../../../../sdk/src/index.ts';
import { useChange } from '../../../api/change.ts';
import { useItem } from '../../../api/item.ts';
import { useList } from '../../../api/list.ts';
import { useSite } from '../../../api/site.ts';
import { membershipOf, useAccount } from '../../../session/account.ts';
import { useFormat } from '../../../text/format.ts';
import { isolated } from '../../../text/isolated.ts';
import { useText } from '../../../text/texts.ts';
import { Button } from '../../../ui/controls.ts';
import { ErrorNote, Loading } from '../../../ui/notes.tsx';
import { onDemand } from '../../../ui/on-demand.tsx';
import { RelativeTime } from '../../../ui/times.tsx';
import { Sign } from '../../../ui/sign.tsx';
import { useSaving } from '../article/use-article.ts';
import { AskForm } from './ask-form.tsx';
import { ChangesForm } from './changes-form.tsx';
import { reviewTexts } from './text.ts';
import styles from './review.module.css';

const REFRESH_MS = 60_000;

const EditDifference = onDemand(async () => (await import('./edit-difference.tsx')).EditDifference, Loading);

export const tones = {
  requested: 'warn',
  approved: 'good',
  changes_requested: 'bad',
  withdrawn: 'quiet',
} as const;

/** The newest review of the article, and what the person may do about it. */
export function Review({ articleId }: { readonly articleId: string }): ReactNode {
  const text = useText(reviewTexts);
  const { rights } = useSite();
  const [form, setForm] = useState<'ask' | 'changes' | null>(null);
  const close = (): void => setForm(null);
  const { review, error, reload } = useNewestReview(articleId);
  const isOpen = review?.state === 'requested';
  const mayAsk = rights.can('articles:write') && !isOpen && review !== undefined;
  return (
    <section className={styles.block}>
      <h2>{text.title}</h2>
      {error !== null && <ErrorNote error={error} retry={reload} />}
      {review === null && <p className={styles.about}>{text.none}</p>}
      {review && <Facts review={review} />}
      {review?.subject === 'pending_edit' && <EditShown />}
      {isOpen && form === null && <Actions review={review} onChanges={() => setForm('changes')} />}
      {mayAsk && form === null && (
        <div className={styles.row}>
          <Button variant="default" onClick={() => setForm('ask')}>
            {review === null ? text.ask : text.askAgain}
          </Button>
        </div>
      )}
      {form === 'ask' && <AskForm onClose={close} />}
      {form === 'changes' && isOpen && <ChangesForm articleId={articleId} onClose={close} />}
    </section>
  );
}

/** Null if there was none. It is looked for in the list, because browsers report a 404 as an error. */
function useNewestReview(articleId: string) {
  // Whoever saves another text makes the review an outdated one.
  const etag = useSaving(({ base }) => base.etag);
  const list = useList({
    key: ['reviews', { articleId, etag }],
    load: (presswork, _page, options) => presswork.reviews.list({ article_id: articleId, limit: 1 }, options),
    refreshMs: REFRESH_MS,
  });
  const review = list.isLoading ? undefined : (list.rows[0] ?? null);
  return { review, error: list.error, reload: list.reload };
}

function Facts({ review }: { readonly review: ReviewOf }): ReactNode {
  const text = useText(reviewTexts);
  const format = useFormat();
  const day = review.due_date && format.date(`${review.due_date}T12:00:00Z`, 'UTC');
  const state = review.state as keyof typeof tones;
  const askedOf = review.reviewers.map(({ name }) => isolated(name));
  return (
    <>
      <div className={styles.row}>
        <Sign tone={tones[state]}>{text.states[state]}</Sign>
        {review.outdated && <Sign tone="warn">{text.outdated}</Sign>}
      </div>
      <div className={styles.about}>
        {text.askedBy(isolated(review.requested_by.name))}, <RelativeTime time={review.created_at} />
        {askedOf.length > 0 && <div>{text.askedOf(format.list(askedOf))}</div>}
        {day && <div>{text.due(day)}</div>}
        {review.subject === 'pending_edit' && <div>{text.ofEdit}</div>}
      </div>
      {review.note && <Said>{review.note}</Said>}
      {review.approvals.map(({ by, at, note }) => (
        <div key={at}>
          <div className={styles.about}>
            {text.approvedBy(isolated(by.name))}, <RelativeTime time={at} />
          </div>
          {note && <Said>{note}</Said>}
        </div>
      ))}
      {state === 'changes_requested' && review.decided_by !== null && (
        <div>
          <div className={styles.about}>{text.decidedBy(isolated(review.decided_by.name))}</div>
          <Said>{review.decision_note ?? ''}</Said>
        </div>
      )}
    </>
  );
}

/** What publishing the pending edit would change for readers. */
function EditShown(): ReactNode {
  const live = useSaving(({ base }) => base.live);
  const edit = useSaving(({ base }) => base.fields);
  // A decided review stays when its edit has been published.
  const hasEdit = useSaving(({ base }) => base.target === 'pending' && base.etag !== null);
  return live !== null && hasEdit && <EditDifference live={live} edit={edit} />;
}

export const Said = ({ children }: { readonly children: string }): ReactNode => (
  <p className={styles.said} dir="auto">
    {children}
  </p>
);

interface ActionsProps {
  readonly review: ReviewOf;
  readonly onChanges: () => void;
}

function Actions({ review, onChanges }: ActionsProps): ReactNode {
  const text = useText(reviewTexts);
  const { id: siteId, rights } = useSite();
  const publishes = rights.publishes;
  const isMine = review.requested_by.id === membershipOf(useAccount(), siteId)?.member_id;
  const articleId = review.article_id;
  // With its entity tag: what is approved is the text that was there to be read.
  const read = useItem({
    key: ['reviews', articleId, review.outdated],
    load: (presswork, options) => presswork.articles.getReview(articleId, options),
    enabled: publishes,
  });
  const approve = useChange({
    send: (presswork, ifMatch: string) => presswork.articles.approveReview(articleId, {}, { ifMatch }),
    touches: ['reviews'],
    done: () => text.approved,
  });
  const withdraw = useChange({
    send: (presswork) => presswork.articles.withdrawReview(articleId),
    touches: ['reviews'],
    done: () => text.withdrawn,
  });
  const etag = read.data?.meta.etag;
  return (
    <div className={styles.row}>
      {publishes && (
        <>
          <Button disabled={!etag} loading={approve.isPending} onClick={() => etag && approve.mutate(etag)}>
            {text.approve}
          </Button>
          <Button variant="default" onClick={onChanges}>
            {text.requestChanges}
          </Button>
        </>
      )}
      {(isMine || publishes) && (
        <Button variant="subtle" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {text.withdraw}
        </Button>
      )}
      {isMine && publishes && <div className={styles.about}>{text.notOwn}</div>}
    </div>
  );
}
