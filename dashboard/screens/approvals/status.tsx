import type { ReactNode } from 'react';
import type { Approval } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { screenTexts } from './text.ts';

const tones = {
  pending: 'warn',
  approved: 'busy',
  denied: 'bad',
  expired: 'quiet',
  used: 'good',
} as const satisfies Record<string, Tone>;

export type Status = keyof typeof tones;

/** The status at that time: a request expires also while nobody reads it again. */
export const statusAt = ({ status, expires_at: end }: Approval, now: number): Status =>
  (status === 'pending' || status === 'approved') && Date.parse(end) <= now ? 'expired' : (status as Status);

export function StatusSign({ status }: { readonly status: Status }): ReactNode {
  const text = useText(screenTexts);
  return <Sign tone={tones[status]}>{text.status[status]}</Sign>;
}
