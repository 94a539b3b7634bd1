import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import type { WriterName } from '../../domain/pipeline/run.ts';
import type { CachePurger } from '../../domain/purge/purge.ts';
import type { ScanSettings } from '../../domain/seo/create-scan.ts';
import type { SecretBox } from '../../domain/kernel/secret-box.ts';
import type { BacklinkReader } from '../../adapters/backlinks/reader.ts';
import type { ClientDocuments } from '../../adapters/oauth/client-documents.ts';
import type { Payments } from '../../adapters/payments/create-payments.ts';
import type { Renderer } from '../../adapters/markdown/renderer.ts';
import type { CmsAdapters } from '../../adapters/cms/create-adapters.ts';
import type { GuardedClient } from '../../adapters/http/guarded-client.ts';
import type { SavedUrlPorts } from '../../adapters/http/saved-url.ts';
import type { ObjectStore } from '../../adapters/storage/objects.ts';
import type { VariantRenderer } from '../../adapters/variants/renderer.ts';
import type { StageTrier } from '../../adapters/writer/try-stage.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { DashboardFiles } from './dashboard-files.ts';
import type { ResponseCache } from './response-cache.ts';
import { noteOrganisation } from '../../domain/organisations/tenant.ts';

/** The dependencies of the API. */
export interface Ports {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly purger: CachePurger | null;
  readonly clientAddress: ClientAddress;
  /** Encrypts secrets that have to be read later. */
  readonly box: SecretBox;
  /** Stores the bytes of media. */
  readonly objects: ObjectStore;
  /** The writer of the pipeline. */
  readonly writer: WriterName;
  /** Tries prompts. */
  readonly tryStage: StageTrier;
  /** Checks the URLs of webhooks and channels. */
  readonly webhookUrls: SavedUrlPorts;
  /** Reaches addresses that others chose: channels, to test them. */
  readonly http: GuardedClient;
  /** Reaches the remotes of connections, to test them. */
  readonly remotes: CmsAdapters;
  /** Reads the documents of programs that ask for access by OAuth. */
  readonly oauthClients: ClientDocuments;
  /** The operator's limits of scans. */
  readonly scans: ScanSettings;
  /** The public URL of the service, without `/v1`. It does not depend on request headers. */
  readonly publicUrl: string;
  /** Where weaknesses are reported, for security.txt; by default there is none. */
  readonly securityContact?: string | undefined;
  readonly responses: ResponseCache;
  /** The built dashboard; null if it has not been built. */
  readonly dashboard: DashboardFiles | null;
  /** Renders Markdown as HTML. */
  readonly renderer: Renderer;
  /** Makes smaller versions of images. */
  readonly variants: Pick<VariantRenderer, 'render'>;
  /** Reads exports of links from other sites. */
  readonly backlinks: BacklinkReader;
  /** Takes money; null if nothing can be bought. */
  readonly payments: Payments | null;
  /** Whether mail is sent: invitations and links to set a password then are. */
  readonly mails: boolean;
  /** Whether to check answers and error codes against their declarations, for tests. */
  readonly verifyAnswers: boolean;
}

/**
 * The dependencies of the work for a Site, which takes its connections to the database from the Site's share, and its turns in
 * the name of the organisation.
 */
export const portsOf = (
  ports: Ports,
  { id, organisationId }: { readonly id: string; readonly organisationId: string },
): Ports => {
  noteOrganisation(id, organisationId);
  return { ...ports, db: ports.db.of({ siteId: id, organisationId }) };
};
