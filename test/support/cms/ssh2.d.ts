/** What the tests use of an SSH server in JavaScript. */
declare module 'ssh2' {
  import type { EventEmitter } from 'node:events';
  import type { Server as NetServer } from 'node:net';
  import type { Duplex, Writable } from 'node:stream';

  interface PublicKey {
    readonly type: string;
    getPublicSSH(): Buffer;
    verify(data: Buffer, signature: Buffer, algorithm?: string): boolean;
  }
  interface Authentication {
    readonly method: string;
    readonly key: { readonly algo: string; readonly data: Buffer };
    readonly signature?: Buffer;
    readonly blob: Buffer;
    readonly hashAlgo?: string;
    accept(): void;
    reject(methods?: readonly string[]): void;
  }
  interface Channel extends Duplex {
    readonly stderr: Writable;
    exit(code: number): void;
  }
  interface Session extends EventEmitter {
    on(
      event: 'exec',
      listener: (accept: () => Channel, reject: () => void, info: { readonly command: string }) => void,
    ): this;
  }
  interface Connection extends EventEmitter {
    on(event: 'authentication', listener: (context: Authentication) => void): this;
    on(event: 'ready' | 'close', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'session', listener: (accept: () => Session) => void): this;
  }

  interface KeyPair {
    readonly private: string;
    readonly public: string;
  }

  const ssh2: {
    readonly Server: new (
      options: { readonly hostKeys: readonly string[] },
      listener: (client: Connection) => void,
    ) => NetServer;
    readonly utils: {
      generateKeyPairSync(type: 'ed25519'): KeyPair;
      parseKey(text: string): PublicKey;
    };
  };
  export default ssh2;
}
