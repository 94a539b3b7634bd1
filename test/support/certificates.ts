import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority for one test file. */
export interface Authority {
  /** Path of its certificate. */
  readonly file: string;
  /** Issues a certificate. @param names such as `DNS:localhost` or `IP:127.0.0.1` @returns both in PEM */
  issue(...names: readonly string[]): { readonly certificate: string; readonly key: string };
  remove(): void;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-authority-'));
  const path = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): unknown =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  openssl('req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test');
  return {
    file: path('ca.pem'),
    issue(...names) {
      writeFileSync(path('names'), `subjectAltName=${names.join(',')}\n`);
      openssl('req', ...KEY, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=own');
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      openssl('x509', '-req', '-in', 'own.csr', ...by, '-days', '2', '-extfile', 'names', '-out', 'own.pem');
      return {
        certificate: readFileSync(path('own.pem'), 'utf8'),
        key: readFileSync(path('own.key'), 'utf8'),
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
