import type { ReactNode } from 'react';
import type { Approval, ApprovalDetail } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useActionName } from '../../content/approval-actions.ts';
import { loadTarget } from './target.ts';

/** A request with what the agent sent. */
export const useApproval = (id: string) =>
  useItem({
    key: ['approvals', id],
    load: (presswork, options) => presswork.approvals.get(id, options),
  });

/** What a request is about, as it is now. Decisions leave it as it is, so that none of them reads it again. */
export const useTarget = (approval: ApprovalDetail | undefined, enabled: boolean) =>
  useItem({
    key: ['targets', approval?.id],
    load: async (presswork, options) =>
      approval && { target: await loadTarget(presswork, approval, options) },
    enabled: enabled && approval !== undefined,
  });

/** By what a person knows the subject of a request. */
const names = ['title', 'name', 'file_name', 'email', 'author_name', 'author_email', 'url'];

/** A request in a line: what the agent wants, and of what. */
export function Subject({ approval }: { readonly approval: Approval }): ReactNode {
  const action = useActionName()(approval);
  const { data: detail } = useApproval(approval.id);
  const target = useTarget(detail, true).data?.target;
  const fields: Readonly<Record<string, unknown>> = {
    ...detail?.body,
    ...(typeof target === 'object' && target.fields),
  };
  const name = names.map((each) => fields[each]).find((value) => typeof value === 'string');
  return (
    <>
      {action}
      {typeof name === 'string' && (
        <>
          {': '}
          <bdi>{name}</bdi>
        </>
      )}
    </>
  );
}
