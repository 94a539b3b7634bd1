import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import type { Provider } from './provider.ts';

export type ProviderName = 'openai' | 'anthropic' | 'google';

export const providers: Readonly<Record<ProviderName, Provider>> = { openai, anthropic, google };
