import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button, Group } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { screenTexts } from './text.ts';

const LineDiff = onDemand(async () => (await import('../../content/line-diff-view.tsx')).LineDiff);

export interface CompareDialogProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly onClose: () => void;
  /** The actions of the second text. */
  readonly action?: ReactNode;
}

/** The differences between two templates. */
export function CompareDialog({ title, before, after, onClose, action }: CompareDialogProps): ReactNode {
  const { versions: text } = useText(screenTexts);
  return (
    <Dialog opened onClose={onClose} title={title} size="xl">
      <LineDiff label={title} before={before} after={after} />
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {text.close}
        </Button>
        {action}
      </Group>
    </Dialog>
  );
}
