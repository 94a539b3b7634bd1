import { useState } from 'react';
import type { Comment, CommentPage, Presswork } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import type { LoadedList } from '../../api/list.ts';

export type Status = 'approved' | 'pending' | 'spam';
export type Outcome = Status | 'deleted';

interface Decided {
  readonly outcome: Outcome;
  /** The version that was in front of the person: a newer one is shown as the API answers it. */
  readonly of: string;
}

export interface Moderation {
  /** The comments as they are with what was just decided. */
  readonly rows: readonly Comment[];
  readonly counts: CommentPage['counts'] | undefined;
  /** @returns whether it was done; if not, the comment is shown as it was, and the error is said */
  decide(comment: Comment, outcome: Outcome): Promise<boolean>;
}

/** Decides about comments without waiting for the answer. */
export function useModeration(
  { rows, firstPage }: LoadedList<Comment, CommentPage>,
  filter: Status | undefined,
): Moderation {
  const [decided, setDecided] = useState<ReadonlyMap<string, Decided>>(new Map());
  const change = useChange({
    send: (presswork, { comment, outcome }: { comment: Comment; outcome: Outcome }) =>
      send(presswork, comment.id, outcome),
    touches: ['comments'],
  });
  const outcomeOf = ({ id, updated_at: of }: Comment): Outcome | undefined => {
    const known = decided.get(id);
    return known?.of === of ? known.outcome : undefined;
  };
  const shown = rows.flatMap((row) => {
    const outcome = outcomeOf(row) ?? (row.status as Status);
    if (outcome === 'deleted' || (filter !== undefined && outcome !== filter)) return [];
    return [{ ...row, status: outcome }];
  });
  return {
    rows: shown,
    counts: firstPage && countsWith(firstPage.counts, rows, outcomeOf),
    async decide(comment, outcome) {
      const before = rows.find(({ id }) => id === comment.id) ?? comment;
      setDecided((all) => new Map(all).set(comment.id, { outcome, of: before.updated_at }));
      try {
        await change.mutateAsync({ comment, outcome });
        return true;
      } catch {
        setDecided((all) => new Map([...all].filter(([id]) => id !== comment.id)));
        return false;
      }
    },
  };
}

function send(presswork: Presswork, id: string, outcome: Outcome): PromiseLike<unknown> {
  const { comments } = presswork;
  switch (outcome) {
    case 'approved':
      return comments.approve(id);
    case 'pending':
      return comments.hold(id);
    case 'spam':
      return comments.markAsSpam(id);
    case 'deleted':
      return comments.delete(id);
  }
}

/** The counts of the Site, which are as old as the rows, with what was decided since. */
function countsWith(
  counts: CommentPage['counts'],
  rows: readonly Comment[],
  outcomeOf: (row: Comment) => Outcome | undefined,
): CommentPage['counts'] {
  const now = { ...counts };
  for (const row of rows) {
    const outcome = outcomeOf(row);
    if (outcome === undefined) continue;
    now[row.status as Status] -= 1;
    if (outcome !== 'deleted') now[outcome] += 1;
  }
  return now;
}
