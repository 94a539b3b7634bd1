import type { Voice } from './voice.ts';

/** A voice as the API shows it (docs/spec/rulings.md, 25). */
export const presentVoice = (voice: Voice) => ({
  audience: voice.audience,
  tone: voice.tone,
  do: voice.do,
  avoid: voice.avoid,
  vocabulary: voice.vocabulary,
  sample_article_ids: voice.sample_article_ids,
  updated_at: voice.updated_at?.toISOString() ?? null,
});
