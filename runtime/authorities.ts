import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** The system's certificate authorities, and one more; undefined without it. */
export const authoritiesOf = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : [...rootCertificates, readFileSync(file, 'utf8')].join('\n');
