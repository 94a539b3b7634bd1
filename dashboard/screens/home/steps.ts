import { useEffect, useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSite } from '../../api/site.ts';
import type { Facts } from './facts.ts';

export type Step = 'article' | 'schedule' | 'webhook' | 'invite';

/** The newest articles. */
export type Recent = UseQueryResult<{ readonly items: readonly unknown[] }>;

interface Kept {
  readonly done: readonly Step[];
  readonly hidden: boolean;
}

/** What was done once stays ticked, also when the scheduled article has been published. */
export function useSteps(facts: Facts, recent: Recent) {
  const { id: siteId, rights } = useSite();
  const place = `presswork.first-steps.${siteId}`;
  const [kept, setKept] = useState(() => read(place));
  const seen: Readonly<Record<Step, boolean>> = {
    article: (recent.data?.items.length ?? 0) > 0,
    schedule: (facts.scheduled.data?.items.length ?? 0) > 0,
    webhook: (facts.webhooks.data?.items.length ?? 0) > 0,
    invite: (facts.members.data?.items.length ?? 0) > 1,
  };
  const may: Readonly<Record<Step, boolean>> = {
    article: rights.can('articles:write'),
    schedule: rights.publishes,
    webhook: rights.administers && rights.can('webhooks:write'),
    invite: rights.administers,
  };
  const steps = (Object.keys(may) as Step[]).filter((step) => may[step]);
  const done = steps.filter((step) => seen[step] || kept.done.includes(step));
  const news = done.length > kept.done.length;
  useEffect(() => {
    if (news) localStorage.setItem(place, JSON.stringify({ ...kept, done }));
  });
  const isKnown = [facts.scheduled, facts.webhooks, facts.members, recent].every(
    ({ isPending, fetchStatus }) => !isPending || fetchStatus === 'idle',
  );
  return {
    steps,
    done,
    isShown: !kept.hidden && isKnown && done.length < steps.length,
    hide: (): void => {
      const next = { done, hidden: true };
      localStorage.setItem(place, JSON.stringify(next));
      setKept(next);
    },
  };
}

function read(place: string): Kept {
  try {
    const { done, hidden } = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Kept>;
    return { done: Array.isArray(done) ? done : [], hidden: hidden === true };
  } catch {
    return { done: [], hidden: false };
  }
}
