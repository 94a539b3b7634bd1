import { z } from 'zod';

const context = { '@context': z.literal('https://schema.org') };
const text = z.string().min(1);
const time = z.iso.datetime({ offset: true });
const thing = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ '@type': z.literal(type), ...shape });

/** The types of schema.org that the service writes, with what search engines require and the types of the rest. */
export const jsonLdShapes = z.discriminatedUnion('@type', [
  thing('Article', {
    ...context,
    headline: text,
    description: text.optional(),
    url: z.url().optional(),
    mainEntityOfPage: thing('WebPage', { '@id': z.url() }).optional(),
    image: z.array(z.url()).min(1).optional(),
    datePublished: time.optional(),
    dateModified: time.optional(),
    inLanguage: text,
    author: thing('Person', { name: text, url: z.url() }).optional(),
    publisher: thing('Organization', { name: text, url: z.url() }),
    articleSection: text.optional(),
    keywords: z.array(text).min(1).optional(),
  }),
  thing('BreadcrumbList', {
    ...context,
    itemListElement: z
      .array(thing('ListItem', { position: z.int().min(1), name: text, item: z.url() }))
      .min(2),
  }),
  thing('FAQPage', {
    ...context,
    mainEntity: z.array(thing('Question', { name: text, acceptedAnswer: thing('Answer', { text }) })).min(1),
  }),
  thing('HowTo', {
    ...context,
    name: text,
    step: z
      .array(
        thing('HowToStep', {
          position: z.int().min(1),
          name: text.optional(),
          text,
          image: z.url().optional(),
        }),
      )
      .min(1),
  }),
]);
