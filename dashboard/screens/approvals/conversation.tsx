import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Approval, Presswork } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { proving } from '../../session/proof.ts';
import { isolated } from '../../text/isolated.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button } from '../../ui/controls.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Agent } from './agent.tsx';
import { Decision } from './decision.tsx';
import { Expiry, useNow } from './expiry.tsx';
import { Request } from './request.tsx';
import { StatusSign, statusAt } from './status.tsx';
import { Subject, useApproval } from './subject.tsx';
import { screenTexts } from './text.ts';
import { loadWaiting } from './waiting.ts';
import styles from './conversation.module.css';

const REFRESH_MS = 20_000;
/** At a time: each is read with what it is about. */
const MOST = 20;

/** Why each of those that could not be approved was not. */
type Refusals = ReadonlyMap<string, unknown>;

/** All that an agent waits for, each in full, to be decided one by one or together. */
export function Conversation({ agentId }: { readonly agentId: string }): ReactNode {
  const { title, conversation: text } = useText(screenTexts);
  const { id: siteId } = useSite();
  const [seen, setSeen] = useState<readonly Approval[]>([]);
  const [outcome, setOutcome] = useState<{ readonly of: number; readonly refusals: Refusals } | null>(null);
  const { data, error, refetch } = useItem({
    key: ['approvals', 'waiting'],
    load: (presswork, options) => loadWaiting(presswork, undefined, options),
    refreshMs: REFRESH_MS,
  });
  // The oldest first: the agent does them in that order. One that was decided here stays to be read.
  const waiting = (data?.items ?? []).filter(({ requested_by: { id } }) => id === agentId).toReversed();
  const fresh = waiting.slice(0, MOST).filter(({ id }) => !seen.some((one) => one.id === id));
  if (fresh.length > 0) setSeen([...seen, ...fresh]);
  const pending = seen.filter(({ id }) => waiting.some((one) => one.id === id));
  const agent = seen[0]?.requested_by;
  return (
    <Page
      title={agent === undefined ? title : text.title(isolated(agent.name))}
      about={agent && text.about}
      crumbs={[{ label: title, to: `/${siteId}/approvals` }]}
      width="narrow"
    >
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && agent === undefined && <EmptyState title={text.none} />}
      {agent !== undefined && (
        <div className={styles.agent}>
          <Agent agent={agent} />
        </div>
      )}
      {seen.map((approval) => (
        <Card key={approval.id} approval={approval} refused={outcome?.refusals.get(approval.id) ?? null} />
      ))}
      {waiting.length > pending.length && <p>{text.more(waiting.length - pending.length)}</p>}
      {outcome !== null && (
        <Outcome key={pending.length}>{text.outcome(outcome.of - outcome.refusals.size, outcome.of)}</Outcome>
      )}
      {pending.length > 1 && <ApproveAll approvals={pending} onDone={setOutcome} />}
    </Page>
  );
}

interface CardProps {
  readonly approval: Approval;
  readonly refused: unknown;
}

function Card({ approval, refused }: CardProps): ReactNode {
  const { data, error, refetch } = useApproval(approval.id);
  const status = statusAt(data ?? approval, useNow());
  const isOpen = status === 'pending' || status === 'approved';
  return (
    <article className={styles.card}>
      <header>
        <h2>
          <Subject approval={approval} />
        </h2>
        <StatusSign status={status} />
        {isOpen && <Expiry time={approval.expires_at} />}
      </header>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <>
          <Request approval={data} isOpen={isOpen} isListed />
          <Decision approval={data} status={status} isListed refused={refused} />
        </>
      )}
    </article>
  );
}

interface ApproveAllProps {
  /** Those that are shown. */
  readonly approvals: readonly Approval[];
  readonly onDone: (outcome: { of: number; refusals: Refusals }) => void;
}

function ApproveAll({ approvals, onDone }: ApproveAllProps): ReactNode {
  const { conversation: text } = useText(screenTexts);
  /** What the dialog lists stays what is approved, also if the agent asks for more meanwhile. */
  const [asked, setAsked] = useState<readonly Approval[] | null>(null);
  const approve = useChange({
    send: (presswork, those: readonly Approval[]) => approveEach(presswork, those),
    touches: ['approvals'],
    onDone: (refusals, { length }) => onDone({ of: length, refusals }),
  });
  return (
    <div className={styles.all}>
      <Button onClick={() => setAsked(approvals)}>{text.all(approvals.length)}</Button>
      {asked !== null && (
        <ConfirmDialog
          opened
          onClose={() => setAsked(null)}
          title={text.question(asked.length)}
          action={text.all(asked.length)}
          onConfirm={() => approve.mutateAsync(asked)}
        >
          <ol className={styles.asked}>
            {asked.map((approval) => (
              <li key={approval.id}>
                <Subject approval={approval} />
              </li>
            ))}
          </ol>
          <p>{text.once}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** One after the other. What keeps a person from one keeps them from the others, which are then not tried. */
async function approveEach(presswork: Presswork, approvals: readonly Approval[]): Promise<Refusals> {
  const refusals = new Map<string, unknown>();
  let forbidden: unknown = null;
  for (const { id } of approvals) {
    try {
      if (forbidden !== null) throw forbidden;
      await proving(() => presswork.approvals.approve(id));
    } catch (error) {
      refusals.set(id, error);
      if (isPressworkError(error) && (error.status === 401 || error.status === 403)) forbidden = error;
    }
  }
  return refusals;
}

/** Takes the focus: the button that was pressed may be gone. */
function Outcome({ children }: { readonly children: string }): ReactNode {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <p ref={place} role="status" tabIndex={-1} className={styles.outcome}>
      {children}
    </p>
  );
}
