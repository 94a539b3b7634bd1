import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps secrets that have to be read again, such as those that sign webhooks: the database holds them encrypted. */
export interface SecretBox {
  /** @param owner what the secret belongs to; it can only be opened for the same */
  seal(secret: string, owner: string): Buffer;
  /** @throws Error where the box was sealed with another key or for another owner */
  open(sealed: Buffer, owner: string): string;
  /**
   * A MAC by which something short can be found again, while nobody without the key can try out what it was.
   *
   * @param purpose each has a key of its own
   */
  fingerprint(text: string, purpose: string): Buffer;
}

const NONCE = 12;
const TAG = 16;

/** @param key 32 bytes, of AES-256-GCM */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, owner) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE)).setAAD(
        Buffer.from(owner),
      );
      decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
      return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
    },
    fingerprint(text, purpose) {
      const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
      return createHmac('sha256', derived).update(text).digest();
    },
  };
}
