import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlanItem } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Menu } from '../../ui/controls.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { Move } from './move.ts';
import { screenTexts } from './text.ts';

type ClientStatus = 'idea' | 'approved' | 'rejected';

export interface RowActionsProps {
  readonly item: PlanItem;
  /** Where it can be moved; none if the list is not in the order of the plan. */
  readonly moves: Readonly<Partial<Record<Move, () => void>>>;
  readonly onEdit: () => void;
}

const moveNames = ['top', 'up', 'down'] as const;

/** The actions of one item. */
export function RowActions({ item, moves, onEdit }: RowActionsProps): ReactNode {
  const text = useText(screenTexts);
  const [isDeleting, setDeleting] = useState(false);
  const { id, title, status } = item;
  const said = { idea: text.reopened, approved: text.approved, rejected: text.rejected } as const;
  const decide = useChange({
    send: (presswork, next: ClientStatus) => presswork.planItems.update(id, { status: next }),
    touches: ['plan'],
    item: ['plan', id],
    optimistic: (next, show) =>
      show<PlanItem>('plan', (row) => (row.id === id ? { ...row, status: next } : row)),
    done: (_, next) => said[next](title),
  });
  const remove = useChange({
    send: (presswork) => presswork.planItems.delete(id),
    touches: ['plan'],
    done: () => text.deleted(title),
    errors: 'here',
  });
  const isOpen = status === 'idea' || status === 'approved' || status === 'rejected';
  return (
    <>
      <RowMenu label={text.actions(title)}>
        <Menu.Item onClick={onEdit}>{text.open}</Menu.Item>
        {isOpen && status !== 'approved' && (
          <Menu.Item onClick={() => decide.mutate('approved')}>{text.approve}</Menu.Item>
        )}
        {isOpen && status !== 'rejected' && (
          <Menu.Item onClick={() => decide.mutate('rejected')}>{text.reject}</Menu.Item>
        )}
        {isOpen && status !== 'idea' && (
          <Menu.Item onClick={() => decide.mutate('idea')}>{text.reopen}</Menu.Item>
        )}
        {moveNames.map((name) => {
          const move = moves[name];
          return move === undefined ? null : (
            <Menu.Item key={name} onClick={move}>
              {text[name]}
            </Menu.Item>
          );
        })}
        <Menu.Item color="red" onClick={() => setDeleting(true)}>
          {text.delete}
        </Menu.Item>
      </RowMenu>
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={text.deleteTitle(title)}
        action={text.deleteNow}
        danger
        onConfirm={() => remove.mutateAsync()}
      >
        {text.deleteAbout}
      </ConfirmDialog>
    </>
  );
}
