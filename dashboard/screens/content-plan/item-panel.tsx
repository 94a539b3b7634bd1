import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { isMissing } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { ItemForm } from './item-form.tsx';
import { screenTexts } from './text.ts';

export interface ItemPanelProps {
  /** Or `new`. */
  readonly id: string;
  readonly onClose: () => void;
}

/** One item of the plan, in front of the list. */
export function ItemPanel({ id, onClose }: ItemPanelProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <SidePanel onClose={onClose} title={id === 'new' ? text.create : text.edit}>
      {id === 'new' ? <ItemForm item={null} onClose={onClose} /> : <Existing id={id} onClose={onClose} />}
    </SidePanel>
  );
}

function Existing({ id, onClose }: ItemPanelProps): ReactNode {
  const text = useText(screenTexts);
  const { data, error, refetch } = useItem({
    key: ['plan', id],
    load: (presswork, options) => presswork.planItems.get(id, options),
  });
  if (isMissing(error)) return <EmptyState title={text.form.missing} />;
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
  return <ItemForm item={data} onClose={onClose} />;
}
