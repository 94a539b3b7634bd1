import type { AboutSite } from '../../domain/prompts/template.ts';

/** What prompts say of a blog that nothing is known of. */
export const nothingKnown: AboutSite = {
  site: '',
  voice: '',
  notes: '',
  related: '',
  terms: '',
  sources: '',
  date: '',
};
