import { hasModel, requireSetting } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import type { ModelJobs } from './llm/ask.ts';
import { providers } from './llm/providers.ts';
import { createModelWriter } from './llm/writer.ts';
import { createOfflineWriter } from './offline/in-job.ts';
import type { OfflineJobs } from './offline/in-job.ts';

/**
 * The configured writer: a language model, or the offline writer if none is set.
 *
 * @throws SettingError if the model's settings are incomplete
 */
export function createWriter(
  settings: Settings,
  http: GuardedClient,
  jobProcesses: ModelJobs & OfflineJobs,
): Writer {
  if (!hasModel(settings)) return createOfflineWriter(jobProcesses);
  const provider = settings.LLM_PROVIDER;
  const { vendor } = providers[provider];
  const own = settings.LLM_BASE_URL;
  return createModelWriter({
    provider,
    baseUrl: own ?? vendor ?? requireSetting(settings, 'LLM_BASE_URL'),
    model: requireSetting(settings, 'LLM_MODEL'),
    models: {
      classify: settings.LLM_MODEL_CLASSIFY,
      extract: settings.LLM_MODEL_EXTRACT,
      plan: settings.LLM_MODEL_PLAN,
      generate: settings.LLM_MODEL_GENERATE,
      improve: settings.LLM_MODEL_IMPROVE,
    },
    // Self-hosted servers often need none.
    apiKey: own === undefined ? requireSetting(settings, 'LLM_API_KEY') : (settings.LLM_API_KEY ?? 'none'),
    maxOutputTokens: settings.LLM_MAX_OUTPUT_TOKENS,
    silenceMs: settings.LLM_SILENCE_TIMEOUT,
    timeoutMs: settings.LLM_TIMEOUT,
    http,
    jobProcesses,
  });
}
