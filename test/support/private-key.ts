const field = (text: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
};

/** The frame of an OpenSSH private key. It holds no key. */
export const openSshKey = (cipher: string): string => {
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field(cipher),
    field('none'),
    Buffer.alloc(200),
  ]);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
};

export const privateKey = openSshKey('none');
