import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { screenTexts } from './text.ts';

const tones = {
  queued: 'quiet',
  running: 'busy',
  completed: 'good',
  partial: 'warn',
  failed: 'bad',
  cancelled: 'quiet',
} as const satisfies Record<string, Tone>;

const isKnown = (status: string): status is keyof typeof tones => Object.hasOwn(tones, status);

/** Whether a run goes on without anybody's doing. */
export const isLive = (status: string): boolean => status === 'queued' || status === 'running';

/** The status of a run. A later version of the API may answer one that has no text here. */
export function RunSign({ status }: { readonly status: string }): ReactNode {
  const text = useText(screenTexts);
  return isKnown(status) ? (
    <Sign tone={tones[status]}>{text.status[status]}</Sign>
  ) : (
    <Sign tone="quiet">{status}</Sign>
  );
}
