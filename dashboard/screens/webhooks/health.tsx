import type { ReactNode } from 'react';
import type { Webhook } from '../../../sdk/src/index.ts';
import { stateOf } from '../../content/webhook-state.ts';
import { useText } from '../../text/texts.ts';
import { Sign } from '../../ui/sign.tsx';
import { screenTexts } from './text.ts';

/** So many failed tries in a row turn an endpoint off. */
export const FAILURE_LIMIT = 12;

const tones = { active: 'good', failing: 'warn', disabled: 'bad', paused: 'quiet' } as const;

/** How an endpoint is, in words. */
export function Health({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { health } = useText(screenTexts);
  const state = stateOf(webhook);
  return (
    <Sign tone={tones[state]}>
      {state === 'failing' ? health.failing(webhook.consecutive_failures) : health[state]}
    </Sign>
  );
}
