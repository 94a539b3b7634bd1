import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ContentTypeDetail, Result } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { isMissing } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { BlueprintView } from './blueprint-view.tsx';
import { FormatForm } from './format-form.tsx';
import { screenTexts } from './text.ts';
import { copyOf, emptyFormat, typedOf } from './typed.ts';

export interface FormatDrawerProps {
  /** Or `new`. */
  readonly id: string;
  readonly onClose: () => void;
}

/** One format: the Site's in a form, the platform's to read and to begin an own one from. */
export function FormatDrawer({ id, onClose }: FormatDrawerProps): ReactNode {
  const { formats: text } = useText(screenTexts);
  const [copied, setCopied] = useState<ContentTypeDetail | null>(null);
  const { data, error, refetch } = useItem({
    key: ['formats', id],
    load: (presswork, options) => presswork.contentTypes.get(id, options),
    enabled: id !== 'new',
  });
  // The form keeps the version that it began with, so that a newer one is a conflict and not overwritten.
  const [began, setBegan] = useState<Result<ContentTypeDetail> | undefined>(data);
  if (began === undefined && data !== undefined) setBegan(data);
  const title =
    copied !== null ? text.ownTitle(copied.name) : id === 'new' ? text.newTitle : (began?.name ?? '');
  const content = (): ReactNode => {
    if (copied !== null) return <FormatForm before={copyOf(copied)} version={null} onClose={onClose} />;
    if (id === 'new') return <FormatForm before={emptyFormat} version={null} onClose={onClose} />;
    if (isMissing(error)) return <EmptyState title={text.missing} />;
    if (began === undefined)
      return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
    return (
      <Existing
        format={began}
        onClose={onClose}
        onCopy={() => setCopied(began)}
        latest={async () => (await refetch()).data}
        onUseLatest={setBegan}
      />
    );
  };
  return (
    <SidePanel onClose={onClose} size="xl" title={<bdi>{title}</bdi>}>
      {content()}
    </SidePanel>
  );
}

interface ExistingProps {
  readonly format: Result<ContentTypeDetail>;
  readonly onClose: () => void;
  readonly onCopy: () => void;
  readonly latest: () => Promise<Result<ContentTypeDetail> | undefined>;
  readonly onUseLatest: (format: Result<ContentTypeDetail>) => void;
}

function Existing({ format, onClose, onCopy, latest, onUseLatest }: ExistingProps): ReactNode {
  const { formats: text } = useText(screenTexts);
  const mayWrite = useSite().rights.can('prompts:write');
  if (mayWrite && format.source === 'site')
    return (
      <FormatForm
        key={format.meta.etag}
        before={typedOf(format)}
        version={format}
        onClose={onClose}
        latest={latest}
        onUseLatest={onUseLatest}
      />
    );
  return (
    <>
      <p>{format.source === 'site' ? text.readOnly : text.platformAbout}</p>
      <BlueprintView blueprint={format.blueprint} />
      {mayWrite && <Button onClick={onCopy}>{text.makeOwn}</Button>}
    </>
  );
}
