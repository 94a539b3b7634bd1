import type { ReactNode } from 'react';
import type { BulkJob } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { Sign } from '../../ui/sign.tsx';
import { screenTexts } from './text.ts';

const tones = { queued: 'quiet', running: 'busy', completed: 'good', cancelled: 'quiet' } as const;

export function JobStatus({ job }: { readonly job: BulkJob }): ReactNode {
  const { statuses } = useText(screenTexts);
  const known = Object.keys(tones).find((name): name is keyof typeof tones => name === job.status);
  if (known === undefined) return <Sign tone="quiet">{job.status}</Sign>;
  const hasFailures = known === 'completed' && job.totals.failed > 0;
  return <Sign tone={hasFailures ? 'warn' : tones[known]}>{statuses[known]}</Sign>;
}

/** “Publish: 3 articles”. */
export function useJobName(): (job: BulkJob) => string {
  const text = useText(screenTexts);
  const known: Readonly<Record<string, string>> = text.actions;
  return ({ action, items }) => text.heading(known[action] ?? action, items.length);
}
