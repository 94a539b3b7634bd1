import type { Logger } from 'pino';
import type { ArticleReader } from '../adapters/articles/reader.ts';
import type { AutopilotSchedules } from '../adapters/autopilot-schedules.ts';
import type { CmsAdapters } from '../adapters/cms/create-adapters.ts';
import type { GuardedClient } from '../adapters/http/guarded-client.ts';
import type { Mailer } from '../adapters/mail/smtp.ts';
import type { PageVisitor } from '../adapters/pages/visitor.ts';
import type { Payments } from '../adapters/payments/create-payments.ts';
import type { SiteWorkflows } from '../adapters/site-workflows.ts';
import type { ObjectStore } from '../adapters/storage/objects.ts';
import type { ClaimJobs } from './pipeline-run/claims.ts';
import type { Research } from '../adapters/research/research.ts';
import type { TidyJobs } from '../adapters/writer/links/tidied.ts';
import type { PromptJobs } from '../adapters/writer/render-prompt.ts';
import type { SourceReader } from '../adapters/writer/source.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/kernel/clock.ts';
import type { SecretBox } from '../domain/kernel/secret-box.ts';
import type { Writer } from '../domain/pipeline/writer.ts';
import type { CachePurger } from '../domain/purge/purge.ts';
import type { ScanKinds } from '../domain/seo/scan-kind.ts';

/** The open workflows of webhook endpoints in Temporal. */
export interface EndpointWorkflows {
  count(): Promise<number>;
  /** The ids of their endpoints. */
  endpointIds(): AsyncIterable<string>;
  /** Starts an endpoint's workflow, or has the open one look. */
  start(endpointId: string, siteId: string): Promise<void>;
  /** Has an open workflow look. */
  wake(endpointId: string): Promise<void>;
}

/** What activities depend on. Each names what it uses of it. */
export interface Ports {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Most activities only ask whether there is a cache to purge. */
  readonly purger: CachePurger | null;
  /** Publishes the articles that are due, and returns their ids. */
  readonly dueArticles: { publish(): Promise<ReadonlySet<string>> };
  readonly objects: ObjectStore;
  /** null if nothing can be bought. */
  readonly payments: Payments | null;
  readonly writer: Writer;
  readonly sources: SourceReader;
  /** Left out if nothing is searched for. */
  readonly research?: Research | undefined;
  readonly jobProcesses: PromptJobs & TidyJobs & ClaimJobs;
  readonly kinds: ScanKinds;
  readonly articles: ArticleReader;
  readonly pages: PageVisitor;
  readonly box: SecretBox;
  readonly adapters: CmsAdapters;
  /** Milliseconds before attempts 2 to 6, of webhooks and of pushes. */
  readonly retryDelays: readonly number[];
  /** Reaches addresses that others chose. */
  readonly http: GuardedClient;
  /** null if no mail is sent. */
  readonly mailer: Mailer | null;
  /** The public URL of the service, for links in mails. */
  readonly publicUrl: string;
  readonly endpointWorkflows: EndpointWorkflows;
  readonly workflows: SiteWorkflows;
  readonly schedules: AutopilotSchedules;
}
