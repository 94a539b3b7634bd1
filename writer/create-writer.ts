import { requireSetting } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Writer } from '../domain/pipeline/writer.ts';
import type { GuardedClient } from '../net/guarded-client.ts';
import { createModelWriter } from './llm/writer.ts';
import { offlineWriter } from './offline/writer.ts';

/**
 * The writer the settings name: a language model where LLM_BASE_URL is set, else the one that needs none.
 *
 * @throws SettingError where the model is named in part
 */
export function createWriter(settings: Settings, http: GuardedClient): Writer {
  const { LLM_BASE_URL: baseUrl } = settings;
  if (baseUrl === undefined) return offlineWriter;
  const model = requireSetting(settings, 'LLM_MODEL');
  // Servers of one's own often ask for no key; the client wants one to send.
  return createModelWriter({ baseUrl, model, apiKey: settings.LLM_API_KEY ?? 'none', http });
}
