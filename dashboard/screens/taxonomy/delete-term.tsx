import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import type { TermKind } from '../../content/terms.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Text } from '../../ui/controls.ts';
import { termsOf } from './terms.ts';
import type { Term } from './terms.ts';
import { screenTexts } from './text.ts';

export interface DeleteTermProps {
  readonly kind: TermKind;
  /** Null while nothing is being deleted. */
  readonly term: Term | null;
  readonly onClose: () => void;
}

/** Asks, with what it means for the articles, and deletes. */
export function DeleteTerm({ kind, term, onClose }: DeleteTermProps): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const change = useChange({
    send: (presswork, { id }: Term) => termsOf(presswork, kind).delete(id),
    touches: [kind, 'articles'],
    done: (_, { name }) => text.deleted(name),
    errors: 'here',
  });
  const { remove, removeAction, removeAbout, removeUnused } = text[kind];
  const count = term?.article_count ?? 0;
  return (
    <ConfirmDialog
      opened={term !== null}
      onClose={onClose}
      title={remove(term?.name ?? '')}
      action={removeAction}
      danger
      onConfirm={async () => {
        if (term !== null) await change.mutateAsync(term);
      }}
    >
      <Text>{count === 0 ? removeUnused : removeAbout(format.number(count))}</Text>
      <Text>{text.noUndo}</Text>
    </ConfirmDialog>
  );
}
