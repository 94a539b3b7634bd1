import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PromptVersion } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { written } from './placeholders.ts';
import type { Stage } from './stage.ts';
import { screenTexts } from './text.ts';
import styles from './prompts.module.css';

export interface VersionsProps {
  readonly stage: Stage;
  /** The template that is in use. */
  readonly inUse: string;
  /** Its version; null for the platform's. */
  readonly current: number | null;
}

/** The saved versions of a stage, newest first, to be compared and restored. */
export function Versions({ stage, inUse, current }: VersionsProps): ReactNode {
  const { versions: text } = useText(screenTexts);
  const [shown, setShown] = useState<PromptVersion | null>(null);
  const list = useList<PromptVersion>({
    key: ['prompt-versions', stage],
    load: (presswork, page, options) => presswork.prompts.listVersions(stage, page, options),
  });
  return (
    <section className={styles.versions}>
      <h2>{text.title}</h2>
      <DataTable
        label={text.title}
        list={list}
        columns={[
          {
            key: 'version',
            title: text.columns.version,
            main: true,
            cell: ({ version }) => (
              <span className={styles.version}>
                {text.version(version)}
                {version === current && <Sign tone="good">{text.current}</Sign>}
              </span>
            ),
          },
          {
            key: 'missing',
            title: text.columns.missing,
            cell: ({ missing_placeholders: names }) =>
              names.length > 0 && <span className={styles.names}>{names.map(written).join(' ')}</span>,
          },
          {
            key: 'saved',
            title: text.columns.saved,
            cell: ({ created_at: time }) => <RelativeTime time={time} />,
          },
        ]}
        idOf={({ version }) => String(version)}
        nameOf={({ version }) => text.version(version)}
        onOpen={setShown}
        actions={(version) => (
          <Button
            size="xs"
            variant="default"
            aria-label={`${text.show}: ${text.version(version.version)}`}
            onClick={() => setShown(version)}
          >
            {text.show}
          </Button>
        )}
        empty={<p className={styles.none}>{text.none}</p>}
      />
      {shown !== null && (
        <Compared stage={stage} version={shown} inUse={inUse} onClose={() => setShown(null)} />
      )}
    </section>
  );
}

interface ComparedProps {
  readonly stage: Stage;
  readonly version: PromptVersion;
  readonly inUse: string;
  readonly onClose: () => void;
}

function Compared({ stage, version, inUse, onClose }: ComparedProps): ReactNode {
  const { versions: text } = useText(screenTexts);
  const restore = useChange({
    send: (presswork, template: string) => presswork.prompts.save(stage, { template }),
    touches: ['prompts', 'prompt-versions'],
    done: (saved) => text.restored(saved.version),
    onDone: onClose,
  });
  return (
    <CompareDialog
      title={text.dialog(version.version)}
      before={inUse}
      after={version.template}
      onClose={onClose}
      action={
        version.template !== inUse && (
          <Button
            loading={restore.isPending}
            title={text.restoreAbout}
            onClick={() => restore.mutate(version.template)}
          >
            {text.restore}
          </Button>
        )
      }
    />
  );
}
