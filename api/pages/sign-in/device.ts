import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { foldAddress } from '../../../domain/sign-in/address.ts';
import type { Ports } from '../../framework/ports.ts';
import { isSecure } from './browser.ts';

const PURPOSE = 'device that has signed in';
const LIFE_S = 365 * 24 * 60 * 60;
/** People of one browser that it remembers. */
const PEOPLE = 5;

const nameOf = (secure: boolean): string => `${secure ? '__Host-' : ''}presswork_device`;

/**
 * A cookie says with which e-mail addresses a browser has signed in: its id, and for each a fingerprint of id and
 * address under the server's key. It signs nobody in: wrong passwords of the browser are counted apart from those of
 * strangers (domain/sign-in/attempts.ts).
 */
interface Device {
  readonly id: string;
  readonly proofs: readonly string[];
}

function readDevice(ports: Ports, ctx: Context): Device | null {
  const [id = '', ...proofs] = (ctx.cookies.get(nameOf(isSecure(ports, ctx))) ?? '').split('.');
  return /^[\w-]{22}$/.test(id) ? { id, proofs: proofs.slice(0, PEOPLE) } : null;
}

const textOf = (id: string, email: string): string => `${id} ${foldAddress(email)}`;

const isProof = ({ box }: Ports, id: string, email: string, given: string): boolean =>
  box.fingerprints(textOf(id, email), PURPOSE).some((mac) => {
    const sent = Buffer.from(given, 'base64url');
    return sent.length === mac.length && timingSafeEqual(sent, mac);
  });

/** The id of the browser, if it has signed in with this address before. */
export function knownDevice(ports: Ports, ctx: Context, email: string): string | null {
  const device = readDevice(ports, ctx);
  if (device === null) return null;
  return device.proofs.some((proof) => isProof(ports, device.id, email, proof)) ? device.id : null;
}

/** Notes that the browser has signed in with this address. */
export function rememberDevice(ports: Ports, ctx: Context, email: string): void {
  const device = readDevice(ports, ctx) ?? { id: randomBytes(16).toString('base64url'), proofs: [] };
  const others = device.proofs.filter((proof) => !isProof(ports, device.id, email, proof));
  const proof = ports.box.fingerprint(textOf(device.id, email), PURPOSE).toString('base64url');
  const secure = isSecure(ports, ctx);
  const value = [device.id, proof, ...others.slice(0, PEOPLE - 1)].join('.');
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${LIFE_S}`];
  if (secure) attributes.push('Secure');
  ctx.append('Set-Cookie', [`${nameOf(secure)}=${value}`, ...attributes].join('; '));
}
