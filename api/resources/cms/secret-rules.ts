import type { ConnectionKind } from '../../../domain/cms/config.ts';

/** As Ghost shows it: the id of the key, and its secret in hex. */
const adminKey = /^[0-9a-f]{1,64}:(?:[0-9a-f]{2}){8,64}$/i;
const signingSecret = /^whsec_[A-Za-z0-9+/_-]{24,100}={0,2}$/;
const KEY_HEAD = '-----BEGIN OPENSSH PRIVATE KEY-----';
const KEY_FOOT = '-----END OPENSSH PRIVATE KEY-----';

/** The mistake of the secret of a connection; null if its kind can use it. */
export function mistakeInSecret(kind: ConnectionKind, remoteUrl: unknown, secret: string): string | null {
  if (kind === 'http')
    return signingSecret.test(secret)
      ? null
      : 'must be a signing secret: whsec_ and 43 letters, digits, - or _';
  if (kind === 'ghost')
    return adminKey.test(secret)
      ? null
      : 'must be an Admin API key as Ghost shows it: the id, a colon, and the secret in hex';
  const overSsh = typeof remoteUrl === 'string' && !/^https?:/i.test(remoteUrl);
  if (kind === 'git' && overSsh) return mistakeInPrivateKey(secret);
  if (kind === 'git' && secret.trimStart().startsWith(KEY_HEAD))
    return 'is a private key, which https does not use: send a password, or user:password';
  return secret === '' || /\p{Cc}/u.test(secret) ? 'must be a password, without control characters' : null;
}

function mistakeInPrivateKey(secret: string): string | null {
  const text = secret.trim();
  if (!text.startsWith(KEY_HEAD) || !text.endsWith(KEY_FOOT))
    return `must be an OpenSSH private key: the whole text from ${KEY_HEAD} on`;
  const key = Buffer.from(text.slice(KEY_HEAD.length, -KEY_FOOT.length), 'base64');
  const magic = 'openssh-key-v1\0';
  if (key.subarray(0, magic.length).toString('latin1') !== magic) return 'is not a whole OpenSSH private key';
  const cipher = key.subarray(magic.length + 4, magic.length + 8).toString('latin1');
  return cipher === 'none' ? null : 'is a private key with a passphrase: send one without';
}
