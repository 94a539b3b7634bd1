import { brave } from './brave.ts';
import type { ResearchProvider } from './provider.ts';
import { searxng } from './searxng.ts';
import { tavily } from './tavily.ts';

export type ResearchProviderName = 'searxng' | 'brave' | 'tavily';

export const researchProviders: Readonly<Record<ResearchProviderName, ResearchProvider>> = {
  searxng,
  brave,
  tavily,
};
