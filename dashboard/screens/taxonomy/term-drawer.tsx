import { useState } from 'react';
import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { isMissing } from '../../api/queries.ts';
import type { TermKind } from '../../content/terms.ts';
import { useText } from '../../text/texts.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { TermForm } from './term-form.tsx';
import { termsOf } from './terms.ts';
import { screenTexts } from './text.ts';

export interface TermDrawerProps {
  readonly kind: TermKind;
  /** Or `new`. */
  readonly id: string;
  readonly onClose: () => void;
}

/** One category, tag or author, in front of the list. */
export function TermDrawer({ kind, id, onClose }: TermDrawerProps): ReactNode {
  const text = useText(screenTexts);
  const isNew = id === 'new';
  return (
    <SidePanel onClose={onClose} title={isNew ? text[kind].create : text[kind].edit}>
      {isNew ? (
        <TermForm kind={kind} term={null} onClose={onClose} />
      ) : (
        <Existing kind={kind} id={id} onClose={onClose} />
      )}
    </SidePanel>
  );
}

function Existing({ kind, id, onClose }: TermDrawerProps): ReactNode {
  const text = useText(screenTexts);
  const { data, error, refetch } = useItem({
    key: [kind, id, 'edit'],
    load: (presswork, options) => termsOf(presswork, kind).get(id, options),
  });
  // The form keeps the version that it began with, so that a newer one is a conflict and not overwritten.
  const [began, setBegan] = useState(data);
  if (began === undefined && data !== undefined) setBegan(data);
  if (isMissing(error)) return <EmptyState title={text.form.missing} />;
  if (began === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
  return (
    <TermForm
      key={began.meta.etag}
      kind={kind}
      term={began}
      onClose={onClose}
      latest={async () => {
        const { data: now } = await refetch();
        return now ?? null;
      }}
      onUseLatest={setBegan}
    />
  );
}
