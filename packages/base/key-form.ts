import { crc32 } from 'node:zlib';

export const keyDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const form = /^(?:svc_pub_|svc_sk_)[0-9A-Za-z]{38}$/;
const CHECKSUM_LENGTH = 6;

/** Whether a string has the form and checksum of an API key. Does not say whether the key exists. */
export function isWellFormedSecret(candidate: string): boolean {
  return (
    form.test(candidate) &&
    checksum(candidate.slice(0, -CHECKSUM_LENGTH)) === candidate.slice(-CHECKSUM_LENGTH)
  );
}

/** The end of a key: the CRC-32 of the rest, in base62. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    encoded = keyDigits[rest % keyDigits.length] + encoded;
    rest = Math.floor(rest / keyDigits.length);
  }
  return encoded;
}
