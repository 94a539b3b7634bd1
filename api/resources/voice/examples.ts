import { articleId } from '../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
export const voiceUpdateExample = {
  audience: 'People who bake at home and have no time to read a book about it.',
  tone: 'Warm and exact. We say what goes wrong.',
  do: ['Give weights in grams.'],
  avoid: ['Superlatives.'],
  vocabulary: [{ use: 'sourdough', instead_of: ['leaven', 'natural yeast'] }],
  sample_article_ids: [articleId],
};

export const voiceExample = { ...voiceUpdateExample, updated_at: '2026-03-01T09:00:00.000Z' };
