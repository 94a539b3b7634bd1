import { useRef, useState } from 'react';
import type { Comment, CommentPage, Presswork } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import type { LoadedList } from '../../api/list.ts';

export type Status = 'approved' | 'pending' | 'spam';
export type Outcome = Status | 'deleted';

interface Decided {
  readonly outcome: Outcome;
  /** As it was in front of the person: a newer version is shown as the API answers it. */
  readonly comment: Comment;
  /** It left the list, and comes back before it has been read again. */
  readonly returns: boolean;
}

export interface Moderation {
  /** The comments, with the last decisions. */
  readonly rows: readonly Comment[];
  readonly counts: CommentPage['counts'] | undefined;
  /** @returns whether it was done; if not, the comment is shown as it was, and the error is said */
  decide(comment: Comment, outcome: Outcome): Promise<boolean>;
  /** Gives a comment the status back that it had. */
  takeBack(comment: Comment): Promise<boolean>;
}

/** Decides about comments without waiting for the answer. */
export function useModeration(
  { rows, firstPage }: LoadedList<Comment, CommentPage>,
  filter: Status | undefined,
): Moderation {
  const [decided, setDecided] = useState<ReadonlyMap<string, Decided>>(new Map());
  // Two requests about one comment could arrive the other way round: the second waits for the answer to the first.
  const last = useRef(new Map<string, Promise<unknown>>());
  const change = useChange({
    send: (presswork, { id, outcome }: { id: string; outcome: Outcome }) => {
      const before = last.current.get(id) ?? Promise.resolve();
      const sent = before.catch(() => undefined).then(() => send(presswork, id, outcome));
      last.current.set(id, sent);
      return sent;
    },
    touches: ['comments'],
  });
  const outcomeOf = ({ id, updated_at: version }: Comment): Outcome | undefined => {
    const known = decided.get(id);
    return known?.comment.updated_at === version ? known.outcome : undefined;
  };
  const forget = (id: string): void =>
    setDecided((all) => new Map([...all].filter(([known]) => known !== id)));
  const act = async (comment: Comment, outcome: Outcome, returns: boolean): Promise<boolean> => {
    const { id } = comment;
    const seen = rows.find((row) => row.id === id) ?? comment;
    setDecided((all) => new Map(all).set(id, { outcome, comment: seen, returns }));
    try {
      await change.mutateAsync({ id, outcome });
      if (returns) forget(id);
      return true;
    } catch {
      forget(id);
      return false;
    }
  };
  const shown = withReturning(rows, decided).flatMap((row) => {
    const outcome = outcomeOf(row) ?? (row.status as Status);
    if (outcome === 'deleted' || (filter !== undefined && outcome !== filter)) return [];
    return [{ ...row, status: outcome }];
  });
  return {
    rows: shown,
    counts: firstPage && countsWith(firstPage.counts, rows, outcomeOf),
    decide: (comment, outcome) => act(comment, outcome, false),
    takeBack: (comment) => act(comment, comment.status as Status, true),
  };
}

/** The rows and what comes back, newest first. */
function withReturning(rows: readonly Comment[], decided: ReadonlyMap<string, Decided>): readonly Comment[] {
  const returning = [...decided.values()]
    .filter(({ returns, comment }) => returns && !rows.some(({ id }) => id === comment.id))
    .map(({ comment }) => comment);
  if (returning.length === 0) return rows;
  return [...rows, ...returning].toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
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
