import { createHmac } from 'node:crypto';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of Ghost's Admin API: HS256 by the secret of the key, valid for five minutes. @param key `id:secret` */
export function adminToken(key: string, now: Date): string {
  const [kid = '', secret = ''] = key.split(':');
  const iat = Math.floor(now.getTime() / 1_000);
  const head = encoded({ alg: 'HS256', typ: 'JWT', kid });
  const body = encoded({ iat, exp: iat + 300, aud: '/admin/' });
  const mac = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${mac}`;
}
