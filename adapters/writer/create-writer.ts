import { requireSetting } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import type { ModelJobs } from './llm/writer.ts';
import { createOfflineWriter } from './offline/in-job.ts';
import type { OfflineJobs } from './offline/in-job.ts';

/**
 * The configured writer: a language model if LLM_BASE_URL is set, otherwise the offline writer, without loading the
 * model's client.
 *
 * @throws SettingError if the model's settings are incomplete
 */
export async function createWriter(
  settings: Settings,
  http: GuardedClient,
  jobProcesses: ModelJobs & OfflineJobs,
): Promise<Writer> {
  const { LLM_BASE_URL: baseUrl, LLM_MAX_OUTPUT_TOKENS: maxOutputTokens } = settings;
  if (baseUrl === undefined) return createOfflineWriter(jobProcesses);
  const model = requireSetting(settings, 'LLM_MODEL');
  const { createModelWriter } = await import('./llm/writer.ts');
  // Self-hosted servers often need no key, but the client requires one.
  const apiKey = settings.LLM_API_KEY ?? 'none';
  return createModelWriter({ baseUrl, model, apiKey, maxOutputTokens, http, jobProcesses });
}
