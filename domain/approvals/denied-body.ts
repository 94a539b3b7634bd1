import type { SecretBox } from '../kernel/secret-box.ts';

const PURPOSE = 'denied body';

/** The rest of a denied body: enough to recognise it, and nothing from which it could be found by trial. */
export const macOf = (box: SecretBox, bodyHash: Buffer): Buffer =>
  box.fingerprint(bodyHash.toString('hex'), PURPOSE);

/** The same by every key: one of them made the stored one. */
export const macsOf = (box: SecretBox, bodyHash: Buffer): readonly Buffer[] =>
  box.fingerprints(bodyHash.toString('hex'), PURPOSE);
