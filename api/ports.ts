import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/clock.ts';
import type { WriterName } from '../domain/pipeline/run.ts';
import type { CachePurger } from '../domain/purge.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { SavedUrlPorts } from '../net/saved-url.ts';
import type { ObjectStore } from '../storage/objects.ts';
import type { ClientAddress } from './client-address.ts';

/** What the edge needs of the world. */
export interface Ports {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly purger: CachePurger | null;
  readonly clientAddress: ClientAddress;
  /** Seals secrets that have to be read again. */
  readonly box: SecretBox;
  /** Where the bytes of media are. */
  readonly objects: ObjectStore;
  /** Who writes for the pipeline. */
  readonly writer: WriterName;
  /** Which addresses a webhook may have. */
  readonly webhookUrls: SavedUrlPorts;
  /** Address under which clients reach the service, without `/v1`; null takes it from the request. */
  readonly publicUrl: string | null;
  /** Holds answers and error codes against their declaration: for tests. */
  readonly verifyAnswers: boolean;
}
