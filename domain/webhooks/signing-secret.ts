import { randomBytes } from 'node:crypto';

/**
 * A new signing secret: `whsec_` and 43 base64url characters; the whole string is the HMAC key (docs/spec/rulings.md, 7).
 * None of them is `-` or `_`, so that every base64 decoder takes them (docs/spec/rulings.md, 14): one draw of four is
 * such a one.
 */
export function generateSigningSecret(): string {
  for (;;) {
    const drawn = randomBytes(32).toString('base64url');
    if (!/[-_]/.test(drawn)) return `whsec_${drawn}`;
  }
}
