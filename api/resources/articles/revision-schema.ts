import { z } from 'zod';
import { id, isoTime, pageOf } from '../../../packages/base/fields.ts';
import { revisionExample, wholeRevisionExample } from './examples.ts';
import { ArticleShape } from './schema.ts';

const actor = z
  .strictObject({ kind: z.enum(['key', 'person', 'system']), id: id.nullable(), name: z.string() })
  .meta({
    id: 'RevisionActor',
    description:
      'Who made the change: key is an API key, person a member who signed in with a browser. system is the product itself, such as the pipeline, and has no id.',
  });

const members = {
  number: z.int().min(1).meta({ description: 'The version that the change made: revision 7 is `W/"7"`.' }),
  created_at: isoTime,
  actor,
  changed: z.array(z.string()).meta({
    description: 'The names of the members that the change set. An open enumeration.',
  }),
  title: z.string().nullable().meta({ description: 'The title as it then was.' }),
};

const ArticleRevision = z.strictObject(members).meta({ id: 'ArticleRevision', examples: [revisionExample] });

export const ArticleRevisionPage = pageOf(ArticleRevision).meta({ id: 'ArticleRevisionPage' });

const RevisedArticle = ArticleShape.omit({
  id: true,
  status: true,
  origin: true,
  published_at: true,
  content_updated_at: true,
  scheduled_publish_at: true,
  created_at: true,
  updated_at: true,
}).meta({ id: 'RevisedArticle', examples: [wholeRevisionExample.article] });

export const WholeArticleRevision = z
  .strictObject({ ...members, article: RevisedArticle })
  .meta({ id: 'WholeArticleRevision', examples: [wholeRevisionExample] });

/** The number in a path. */
export const revisionNumber = z.int().min(1).describe('The number of the revision.');
