import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../kernel/secret-box.ts';

/** The path of links that keep kinds out of a person's mail: the member, the kinds, and a MAC of both. */
export const UNSUBSCRIBE = '/notifications/unsubscribe/';

const PURPOSE = 'link to unsubscribe';

const textOf = (memberId: string, kinds: string): string => `${memberId} ${kinds}`;

export function unsubscribePath(box: SecretBox, memberId: string, kinds: readonly string[]): string {
  const listed = [...new Set(kinds)].toSorted().join(',');
  const mac = box.fingerprint(textOf(memberId, listed), PURPOSE).toString('base64url');
  return `${UNSUBSCRIBE}${memberId}/${listed}/${mac}`;
}

/** Whose mail a link is about, and which kinds of it; null for a link that this installation has not made. */
export function readUnsubscribePath(
  box: SecretBox,
  path: string,
): { readonly memberId: string; readonly kinds: readonly string[] } | null {
  const [, memberId = '', kinds = '', given = ''] =
    /^([0-9a-f-]{36})\/([a-z_.,]{1,1000})\/([\w-]{43})$/.exec(path.slice(UNSUBSCRIBE.length)) ?? [];
  const sent = Buffer.from(given, 'base64url');
  const isOurs = box
    .fingerprints(textOf(memberId, kinds), PURPOSE)
    .some((mac) => mac.length === sent.length && timingSafeEqual(mac, sent));
  return isOurs ? { memberId, kinds: kinds.split(',') } : null;
}
