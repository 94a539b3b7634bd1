import type { Brief, Draft } from '../../../domain/pipeline/writer.ts';
import { nothingKnown } from '../../support/about-site.ts';

/** What a writer is told about the tests' topic. */
export const ryeBread: Brief = {
  title: 'How to bake rye bread',
  keywords: ['rye', 'sourdough'],
  source: null,
  sources: [],
  notes: null,
  locale: 'en',
  blueprint: { requires: [], sections: [] },
  outline: null,
  written: {},
  about: nothingKnown,
  prompt: '',
};

/** An article about it. */
export const article: Draft = {
  content: '## Dough\n\nMix and wait.',
  excerpt: 'Mix and wait.',
  seo_title: 'Rye bread',
  seo_description: 'How to bake it.',
  seo_keywords: ['rye'],
  key_takeaways: null,
  faqs: [{ question: 'How long?', answer: 'A day.' }],
  howto_steps: null,
  comparison: null,
};
