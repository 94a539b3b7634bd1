import { presentKey } from '../access/present.ts';
import type { PollResult } from './poll.ts';

export const presentPoll = ({ status, interval, collected }: PollResult) => {
  if (collected === undefined) return { status, interval };
  const { key, secret } = collected;
  return { status, interval, key: { ...presentKey(key), secret, secret_replayable: secret !== null } };
};
