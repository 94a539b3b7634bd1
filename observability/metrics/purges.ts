import { Counter } from '@prometheus-io/client';

const purges = new Counter({
  name: 'presswork_cache_purges_total',
  help: 'Purges sent to PURGE_URL, by whether they were accepted or refused; one without an answer in time was refused.',
  labelNames: ['outcome'],
});
for (const outcome of ['accepted', 'refused']) purges.inc({ outcome }, 0);

export const purgeAnswered = (accepted: boolean): void =>
  purges.inc({ outcome: accepted ? 'accepted' : 'refused' });
