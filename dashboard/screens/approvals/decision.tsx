import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Approval } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useFailure } from '../../api/failure.ts';
import { useItem } from '../../api/item.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { ButtonLink } from '../../ui/links.ts';
import { useConsequence } from './consequence.ts';
import type { Status } from './status.tsx';
import { screenTexts } from './text.ts';
import { loadWaiting } from './waiting.ts';
import styles from './approval.module.css';

export interface DecisionProps {
  readonly approval: Approval;
  readonly status: Status;
  /** Among others, which are decided beside it. */
  readonly isListed?: boolean;
  /** Why it could not be decided together with others. */
  readonly refused?: unknown;
}

/** The coming effect, and the two buttons; afterwards the result. */
export function Decision({ approval, status, isListed = false, refused = null }: DecisionProps): ReactNode {
  const text = useText(screenTexts);
  const Heading = isListed ? 'h3' : 'h2';
  const { rights } = useSite();
  const failure = useFailure();
  const consequence = useConsequence()(approval);
  const change = useChange({
    send: (presswork, verb: 'approve' | 'deny') =>
      verb === 'approve' ? presswork.approvals.approve(approval.id) : presswork.approvals.deny(approval.id),
    touches: ['approvals'],
    done: (_, verb) => text.done[verb === 'approve' ? 'approved' : 'denied'],
    errors: 'here',
  });
  // The button that was pressed is gone; what is read next is how it ended.
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (change.isSuccess || change.isError) section.current?.focus();
  }, [change.isSuccess, change.isError]);
  const error = change.error ?? refused;
  const isLate = isPressworkError(error) && error.code === 'CONFLICT';
  return (
    <section ref={section} tabIndex={-1} className={styles.decision} data-listed={isListed || undefined}>
      {error !== null && (
        <p role="alert" className={styles.warning}>
          {isLate ? text.late : failure(error)}
        </p>
      )}
      {status !== 'pending' && <p role="status">{text.ended[status]}</p>}
      {status !== 'pending' && !isListed && <Next approvalId={approval.id} />}
      {status === 'pending' && (
        <>
          <Heading>{text.detail.ifApproved}</Heading>
          {consequence !== null && <p>{consequence}</p>}
          {!isListed && <p className={styles.soft}>{text.detail.once}</p>}
          {rights.administers ? (
            <div className={styles.buttons}>
              <Button
                variant="default"
                loading={change.isPending && change.variables === 'deny'}
                disabled={change.isPending}
                onClick={() => change.mutate('deny')}
              >
                {text.detail.deny}
              </Button>
              <Button
                loading={change.isPending && change.variables === 'approve'}
                disabled={change.isPending}
                onClick={() => change.mutate('approve')}
              >
                {text.detail.approve}
              </Button>
            </div>
          ) : (
            <p>{text.detail.mayNot}</p>
          )}
        </>
      )}
    </section>
  );
}

function Next({ approvalId }: { readonly approvalId: string }): ReactNode {
  const text = useText(screenTexts);
  const { id: siteId } = useSite();
  const { data } = useItem({
    key: ['approvals', 'waiting'],
    load: (presswork, options) => loadWaiting(presswork, undefined, options),
  });
  const next = data?.items.find(({ id }) => id !== approvalId);
  return (
    <div className={styles.buttons}>
      <ButtonLink variant="default" to="/$siteId/approvals" params={{ siteId }}>
        {text.detail.back}
      </ButtonLink>
      {next !== undefined && (
        <ButtonLink to="/$siteId/approvals/$approvalId" params={{ siteId, approvalId: next.id }}>
          {text.detail.next}
        </ButtonLink>
      )}
    </div>
  );
}
