/** Examples of the reference; tests hold them against the schemas. */
const blueprint = {
  requires: ['howto_steps', 'faqs'],
  sections: [
    { heading: 'What you need', guidance: 'List tools and ingredients.', min_words: 80, max_words: 200 },
  ],
};

export const contentTypeWriteExample = { name: 'Recipe', key: 'recipe', blueprint, is_active: true };
export const contentTypeUpdateExample = { name: 'Short recipe', is_active: true };

export const contentTypeExample = {
  id: '0197a0c4-7777-7d30-9b64-2f1f0d3c8a11',
  key: 'recipe',
  name: 'Recipe',
  source: 'site',
  is_active: true,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};
export const contentTypeDetailExample = { ...contentTypeExample, blueprint };
