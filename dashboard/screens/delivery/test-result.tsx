import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { Alert, Button, Group, Stack } from '../../ui/controls.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import { formTexts } from './form-text.ts';

export interface TestResultProps {
  readonly connectionId: string;
  readonly onClose: () => void;
}

/** Calls the other system at once, and says what came of it. */
export function TestResult({ connectionId, onClose }: TestResultProps): ReactNode {
  const text = useText(formTexts);
  const { data, error, isPending, mutate } = useChange({
    send: (presswork) => presswork.connections.test(connectionId),
    touches: [],
    errors: 'here',
  });
  useEffect(() => mutate(), [mutate]);
  return (
    <Stack>
      <div role="status">
        {isPending ? (
          <p>{text.testing}</p>
        ) : (
          data !== undefined && (
            <Alert color={data.ok ? 'green' : 'orange'} title={data.ok ? text.works : text.fails}>
              <span dir="auto">{data.message}</span>
            </Alert>
          )
        )}
      </div>
      {error !== null && !isPending && <ErrorNote error={error} />}
      <Group justify="flex-end">
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {text.again}
        </Button>
        <Button onClick={onClose}>{text.close}</Button>
      </Group>
    </Stack>
  );
}
