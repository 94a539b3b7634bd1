import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { ConnectionTest, Presswork } from '../../sdk/src/index.ts';
import { useChange } from '../api/change.ts';
import { useText } from '../text/texts.ts';
import { Alert, Button, Group, Stack } from '../ui/controls.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { testTexts } from './test-texts.ts';

export interface TestResultProps {
  readonly test: (presswork: Presswork) => PromiseLike<ConnectionTest>;
  readonly onClose: () => void;
}

/** Calls the other system at once, and says what came of it. */
export function TestResult({ test, onClose }: TestResultProps): ReactNode {
  const text = useText(testTexts);
  const { data, error, isPending, mutate } = useChange({ send: test, touches: [], errors: 'here' });
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

export function TestDialog({ name, ...props }: TestResultProps & { readonly name: string }): ReactNode {
  const text = useText(testTexts);
  return (
    <Dialog opened onClose={props.onClose} title={text.title(name)}>
      <TestResult {...props} />
    </Dialog>
  );
}
