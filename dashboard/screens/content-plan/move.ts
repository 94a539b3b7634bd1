import type { PlanItem } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';

export type Move = 'top' | 'up' | 'down';

interface Moving {
  readonly item: PlanItem;
  /** The index that it gets. */
  readonly to: number;
  /** The item before it then; null at the top. */
  readonly after: string | null;
}

/**
 * The moves of an item among the rows that are loaded, which are in the order of the plan from its top. Each is sent as
 * the item that comes before it, so that it means the same when others move items, too.
 */
export function useMoves(rows: readonly PlanItem[]): (item: PlanItem) => Partial<Record<Move, () => void>> {
  const text = useText(screenTexts);
  const move = useChange({
    send: (presswork, { item, after }: Moving) => presswork.planItems.update(item.id, { after }),
    touches: ['plan'],
    done: (_, { item, to }) => text.moved(item.title, to + 1),
  });
  return (item) => {
    const index = rows.findIndex(({ id }) => id === item.id);
    const at =
      (to: number): (() => void) =>
      () => {
        const others = rows.filter(({ id }) => id !== item.id);
        move.mutate({ item, to, after: others[to - 1]?.id ?? null });
      };
    return {
      ...(index > 1 && { top: at(0) }),
      ...(index > 0 && { up: at(index - 1) }),
      ...(index < rows.length - 1 && { down: at(index + 1) }),
    };
  };
}
