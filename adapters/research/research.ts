import type { Attempt } from '../../domain/pipeline/writer.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import { JobTooLarge, JobUnfinished } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';
import { researchProviders } from './providers.ts';
import type { ResearchProviderName } from './providers.ts';
import type { readResults } from './results.ts';

/** Finds pages about a question. */
export interface Research {
  /** @returns addresses that anybody may have put there, best first @throws SearchFailed */
  search(question: string, attempt: Attempt): Promise<readonly string[]>;
}

/** A search without a usable answer. The message names neither question nor address. */
export class SearchFailed extends Error {
  override name = 'SearchFailed';
}

export type ResearchJobs = InHelpers<{ readResults: typeof readResults }>;

export interface ResearchOptions {
  readonly provider: ResearchProviderName;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly http: GuardedClient;
  readonly jobProcesses: ResearchJobs;
  /** How long a search may take in all, in ms. */
  readonly limitMs?: number;
}

const LIMIT_MS = 10_000;
/** Answers of ten results have some 100 KB. */
const ANSWER_BYTES = 2 * 2 ** 20;

/** The search that the settings name; undefined if they name none. */
export function researchOf(
  settings: Settings,
  http: GuardedClient,
  jobProcesses: ResearchJobs,
): Research | undefined {
  const { RESEARCH_PROVIDER: provider, RESEARCH_URL: url, RESEARCH_API_KEY: apiKey = '' } = settings;
  if (provider === undefined) return undefined;
  // One without an address of its own has one in the settings (runtime/settings.ts).
  const baseUrl = url ?? researchProviders[provider].vendor ?? '';
  return createResearch({ provider, baseUrl, apiKey, http, jobProcesses });
}

/** Searches through the guarded client. The operator configured the address, so it is trusted; what it answers is not. */
export function createResearch(options: ResearchOptions): Research {
  const { provider, baseUrl, apiKey, http, jobProcesses, limitMs = LIMIT_MS } = options;
  return {
    async search(question, { siteId, signal }) {
      const { method, path, headers, body } = researchProviders[provider].request(question, apiKey);
      const answer = await http.request({
        url: baseUrl.replace(/\/+$/, '') + path,
        method,
        headers: { accept: 'application/json', ...headers },
        body: body && JSON.stringify(body),
        timeoutMs: limitMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
        maxResponseBytes: ANSWER_BYTES,
        redirects: 0,
        isolationKey: 'research',
        readBody: true,
        trusted: true,
      });
      signal.throwIfAborted();
      if (answer.outcome === 'failure') throw new SearchFailed(`it gave no answer (${answer.error})`);
      if (answer.status !== 200) throw new SearchFailed(`it answered ${answer.status}`);
      if (answer.bodyTruncated) throw new SearchFailed('its answer has more than 2 MiB');
      const found = await readInJob(siteId, answer.body ?? Buffer.alloc(0), signal);
      if (found === null) throw new SearchFailed('it answered with something other than results');
      return found;
    },
  };

  async function readInJob(siteId: string, body: Uint8Array, signal: AbortSignal) {
    try {
      return await jobProcesses.readResults(siteId, { provider, body }, signal);
    } catch (error) {
      if (!(error instanceof JobTooLarge || error instanceof JobUnfinished)) throw error;
      throw new SearchFailed('its answer could not be read', { cause: error });
    }
  }
}
