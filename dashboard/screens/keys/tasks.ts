/** All scopes, in the order of the API's documentation. */
export const allScopes = [
  'articles:read',
  'articles:write',
  'taxonomy:read',
  'taxonomy:write',
  'authors:read',
  'authors:write',
  'media:read',
  'media:write',
  'pipeline:read',
  'pipeline:run',
  'keys:read',
  'keys:write',
  'webhooks:read',
  'webhooks:write',
  'meta:read',
  'comments:read',
  'comments:write',
  'engagement:write',
  'prompts:write',
] as const;

export type KeyScope = (typeof allScopes)[number];

const reading: readonly KeyScope[] = ['articles:read', 'taxonomy:read', 'authors:read', 'meta:read'];
const writing: readonly KeyScope[] = [...reading, 'articles:write', 'media:read', 'media:write'];

/** Purposes of a key, each with its scopes. */
export const tasks = {
  read: reading,
  comments: [...reading, 'engagement:write'],
  write: writing,
  manage: [...writing, 'taxonomy:write', 'authors:write', 'comments:read', 'comments:write'],
  pipeline: [...writing, 'pipeline:read', 'pipeline:run', 'prompts:write'],
  webhooks: ['webhooks:read', 'webhooks:write', 'meta:read'],
  everything: allScopes,
} as const satisfies Record<string, readonly KeyScope[]>;

export type Task = keyof typeof tasks;
export const taskNames = Object.keys(tasks) as Task[];

const closedToPublishable: readonly KeyScope[] = ['media:read', 'pipeline:read', 'webhooks:read'];

/** Whether a key that readers can see may carry the scope (docs/spec/rulings.md, 2). */
export const isPublishable = (scope: KeyScope): boolean =>
  scope.endsWith(':read') && !closedToPublishable.includes(scope);

/** The task with exactly these scopes, if there is one. */
export const taskOf = (scopes: readonly string[]): Task | null =>
  taskNames.find(
    (task) => tasks[task].length === scopes.length && tasks[task].every((scope) => scopes.includes(scope)),
  ) ?? null;
