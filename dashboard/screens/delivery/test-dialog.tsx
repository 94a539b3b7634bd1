import type { ReactNode } from 'react';
import type { Connection } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formTexts } from './form-text.ts';
import { TestResult } from './test-result.tsx';

export interface TestDialogProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

export function TestDialog({ connection: { id, name }, onClose }: TestDialogProps): ReactNode {
  const text = useText(formTexts);
  return (
    <Dialog opened onClose={onClose} title={text.testTitle(name)}>
      <TestResult connectionId={id} onClose={onClose} />
    </Dialog>
  );
}
