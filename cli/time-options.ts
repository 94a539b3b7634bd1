import type { Option } from 'commander';
import { parseDateTime } from '../domain/kernel/date-time.ts';
import { check, parsed } from './options.ts';

export const time = (flag: string, description: string): Option =>
  parsed(`--${flag} <time>`, description, (value) => {
    const moment = parseDateTime(value);
    check(moment !== null, 'It must be a date-time with an offset, such as 2026-03-01T09:00:00Z.');
    return moment;
  });

export const since = (description: string): Option => time('since', description);
