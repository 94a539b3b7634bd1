import { z } from 'zod';
import { answersObject } from '../answers.ts';
import type { Operation } from '../operation.ts';
import type { Components, Json } from './schemas.ts';

/** The parameters of an operation: those of the path, of the query, and headers. */
export const parametersOf = (operation: Operation, components: Components): Json[] => [
  ...pathParameters(operation, components),
  ...queryParameters(operation, components),
  ...headerParameters(operation),
];

const pathParameters = ({ path, textParams = {} }: Operation, components: Components): Json[] =>
  [...path.matchAll(/(\w[\w-]*)\/:(\w+)/g)].map(([, collection = '', name = '']) => {
    const text = textParams[name];
    const { description, ...schema } = text === undefined ? idIn(collection) : components.of(text, 'input');
    return { name, in: 'path', required: true, description, schema };
  });

/** @throws Error if the collection of a path is not in the table */
function idIn(collection: string): Json {
  const noun = members[collection];
  if (noun === undefined)
    throw new Error(`api/framework/openapi/parameters.ts does not name a member of ${collection}`);
  return { type: 'string', format: 'uuid', description: `The id of the ${noun}.` };
}

/** The items of the collections of paths. */
const members: Readonly<Record<string, string>> = {
  approvals: 'approval',
  articles: 'article',
  authors: 'author',
  backlinks: 'backlink',
  bulk: 'bulk job',
  channels: 'channel',
  categories: 'category',
  comments: 'comment',
  connections: 'connection',
  'content-plan': 'plan item',
  'content-types': 'article format',
  deliveries: 'attempt, from the delivery log',
  events: 'event',
  findings: 'finding',
  keys: 'key',
  media: 'asset',
  notes: 'note',
  'preview-links': 'preview link',
  pushes: 'push',
  runs: 'run',
  scans: 'scan',
  tags: 'tag',
  team: 'member',
  webhooks: 'endpoint',
};

function queryParameters({ query }: Operation, components: Components): Json[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, explode, ...rest } = components.of(schema, 'input');
    // zod leaves the default out if the value is transformed.
    const fallback = schema instanceof z.ZodDefault ? schema.def.defaultValue : schema.meta()?.['default'];
    return {
      name,
      in: 'query',
      required: false,
      ...(description ? { description } : {}),
      ...(explode === undefined ? {} : { style: 'form', explode }),
      schema: { ...rest, ...(fallback === undefined ? {} : { default: fallback }) },
    };
  });
}

const header = (name: string, required: boolean, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
});

function headerParameters(operation: Operation): Json[] {
  const { idempotency, conditional, approval } = operation;
  const parameters: Json[] = [];
  if (idempotency) parameters.push(idempotencyKey(idempotency === 'required'));
  if (conditional) parameters.push(ifMatch);
  if (approval) parameters.push(serviceApproval);
  if (answersObject(operation)) parameters.push(ifNoneMatch);
  return parameters;
}

const ETAG = '(W/)?"[!#-~]*"';

const idempotencyKey = (required: boolean): Json =>
  header(
    'Idempotency-Key',
    required,
    '1 to 255 printable ASCII characters. The answer is stored for 24 hours, and a repetition with the same body gets it again, with Idempotency-Replayed.',
    // Spaces around the value of a header are not part of it.
    { minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
  );
const ifMatch = header(
  'If-Match',
  false,
  'The ETag of the version that the change is based on, several of them, or `*`. If there is a newer one, the answer is 412; anything but ETags is 400.',
  { pattern: `^(\\*|${ETAG}( *, *${ETAG})*)$` },
);
const ifNoneMatch = header(
  'If-None-Match',
  false,
  'An ETag; if it is the current version, the answer is 304 without a body.',
);
const serviceApproval = header(
  'Service-Approval',
  false,
  'For a key held by an agent: the id of the approval, in a repetition of the request that asked for it.',
  { format: 'uuid' },
);
