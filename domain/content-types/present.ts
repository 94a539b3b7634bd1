import type { ContentType, ContentTypeDetail } from './content-type.ts';

export const presentContentType = (row: ContentType) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  source: row.site_id === null ? 'platform' : 'site',
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const presentContentTypeDetail = (row: ContentTypeDetail) => ({
  ...presentContentType(row),
  blueprint: {
    requires: row.blueprint.requires,
    sections: row.blueprint.sections.map(({ heading, guidance, min_words, max_words }) => ({
      heading,
      guidance,
      min_words,
      max_words,
    })),
  },
});
