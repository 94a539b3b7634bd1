import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that must be readable later, such as those that sign webhooks. The database stores them encrypted.
 */
export interface SecretBox {
  /**
   * Encrypts with the newest key.
   *
   * @param owner the owner of the secret; it can only be decrypted for the same owner
   */
  seal(secret: string, owner: string): Buffer;
  /** @throws Error if the secret was encrypted with a key that is not here, or for another owner */
  open(sealed: Buffer, owner: string): string;
  /** Whether a value was encrypted with the newest key, and names it. */
  isNewest(sealed: Buffer): boolean;
  /**
   * A MAC for looking up a short value, by the newest key. Without the key, the value cannot be found by trial.
   *
   * @param purpose each purpose has its own key
   */
  fingerprint(text: string, purpose: string): Buffer;
  /** The MACs by all keys, newest first: one of them is stored. */
  fingerprints(text: string, purpose: string): readonly Buffer[];
}

const NAME = 8;
const NONCE = 12;
const TAG = 16;

/**
 * A sealed value is the name of its key, a nonce, a tag and the encrypted text. Before keys had names, it was the last
 * three.
 *
 * @param keys of 32 bytes for AES-256-GCM, newest first
 */
export function createSecretBox(...keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const named = keys.map((key) => ({ key, name: derive(key, 'name of the key').subarray(0, NAME) }));
  const newest = named[0] as (typeof named)[number];
  /** By purpose: there are few, and deriving takes longer than a MAC. */
  const derived = new Map<string, readonly [Buffer, ...Buffer[]]>();
  const keysFor = (purpose: string): readonly [Buffer, ...Buffer[]] => {
    const [first, ...others] = keys;
    const known = derived.get(purpose) ?? [
      derive(first, purpose),
      ...others.map((key) => derive(key, purpose)),
    ];
    derived.set(purpose, known);
    return known;
  };
  const mac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([newest.name, nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, owner) {
      const owned = named.find(({ name }) => name.equals(sealed.subarray(0, NAME)));
      if (owned !== undefined) return decrypt(owned.key, sealed.subarray(NAME), owner);
      for (const key of keys.slice(0, -1)) {
        try {
          return decrypt(key, sealed, owner);
        } catch {
          continue;
        }
      }
      return decrypt(keys.at(-1) as Buffer, sealed, owner);
    },
    isNewest: (sealed) => newest.name.equals(sealed.subarray(0, NAME)),
    fingerprint: (text, purpose) => mac(keysFor(purpose)[0], text),
    fingerprints: (text, purpose) => keysFor(purpose).map((key) => mac(key, text)),
  };
}

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', purpose, 32));

function decrypt(key: Buffer, sealed: Buffer, owner: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE)).setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
  return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
}
