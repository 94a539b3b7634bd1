import type { Push, PushWrite } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { pushTexts } from './push-text.ts';

/** Starts a push, and says that it is under way. */
export function useStartPush(onDone: (push: Push) => void) {
  const text = useText(pushTexts);
  return useChange({
    send: (presswork, input: PushWrite, { idempotencyKey }) =>
      presswork.pushes.start(input, { idempotencyKey }),
    touches: ['pushes', 'connections'],
    done: () => text.started,
    onDone,
    errors: 'here',
  });
}
