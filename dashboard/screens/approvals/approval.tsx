import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { ApprovalDetail } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useActionName } from '../../content/approval-actions.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Agent } from './agent.tsx';
import { Decision } from './decision.tsx';
import { Expiry, useNow } from './expiry.tsx';
import { Request } from './request.tsx';
import { StatusSign, statusAt } from './status.tsx';
import { screenTexts } from './text.ts';
import styles from './approval.module.css';

const route = getRouteApi('/$siteId/approvals/$approvalId');
const REFRESH_MS = 15_000;

/** One request of an agent, to be decided. */
export function Screen(): ReactNode {
  const { approvalId } = route.useParams();
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const nameOf = useActionName();
  const { data, error, refetch } = useItem({
    key: ['approvals', approvalId],
    load: (presswork, options) => presswork.approvals.get(approvalId, options),
    // Somebody else may decide, and the agent may use it, while one looks.
    refreshMs: (approval) =>
      approval?.status === 'pending' || approval?.status === 'approved' ? REFRESH_MS : false,
  });
  const list = `/${siteId}/approvals`;
  return (
    <Page
      title={data === undefined ? text.title : nameOf(data)}
      crumbs={[{ label: text.title, to: list }]}
      width="narrow"
    >
      {error !== null && (
        <Unread error={error} retry={() => void refetch()} back={{ label: text.detail.back, to: list }} />
      )}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && <Approval approval={data} />}
    </Page>
  );
}

function Approval({ approval }: { readonly approval: ApprovalDetail }): ReactNode {
  const { detail: text } = useText(screenTexts);
  const status = statusAt(approval, useNow());
  const isOpen = status === 'pending' || status === 'approved';
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>{text.agent}</dt>
          <dd>
            <Agent agent={approval.requested_by} />
          </dd>
        </div>
        <div>
          <dt>{text.asked}</dt>
          <dd>
            <RelativeTime time={approval.created_at} />
          </dd>
        </div>
        {isOpen && (
          <div>
            <dt>{text.expires}</dt>
            <dd>
              <Expiry time={approval.expires_at} />
            </dd>
          </div>
        )}
        {approval.decided_at !== null && (
          <div>
            <dt>{text.decided}</dt>
            <dd>
              <RelativeTime time={approval.decided_at} />{' '}
              {approval.decided_by !== null && <bdi>{text.by(approval.decided_by.name)}</bdi>}
            </dd>
          </div>
        )}
        <div>
          <dd>
            <StatusSign status={status} />
          </dd>
        </div>
      </dl>
      <Request approval={approval} isOpen={isOpen} />
      <Decision approval={approval} status={status} />
    </>
  );
}
