const connectionId = '0197a0d4-11aa-7d30-9b64-2f1f0d3c8a11';
const articleIds = ['0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11', '0197a0c4-6f02-7c55-8d0e-5b1d6f6f7a22'] as const;

export const connectionWriteExample = {
  kind: 'git',
  name: 'The blog’s repository',
  config: { remote_url: 'https://git.example.com/acme/blog.git', branch: 'main', path: 'content/posts' },
  secret: 'presswork:glpat-…',
  auto: true,
};

export const connectionUpdateExample = { auto: false };

export const connectionExample = {
  id: connectionId,
  kind: connectionWriteExample.kind,
  name: connectionWriteExample.name,
  config: connectionWriteExample.config,
  secret_set: true,
  auto: true,
  enabled: true,
  last_error: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

export const testedExample = { ok: true, message: 'The repository and its branch main can be read.' };

export const pushWriteExample = { connection_id: connectionId, article_ids: articleIds };

export const waitingPushExample = {
  id: '0197a0d5-22bb-7f00-a1b2-6d1c2e3f4a5b',
  connection_id: connectionId,
  items: articleIds.map((id) => ({
    article_id: id,
    status: 'waiting',
    remote_url: null,
    error: null,
    attempts: 0,
  })),
  created_at: '2026-03-01T09:00:00.000Z',
  finished_at: null,
};

export const finishedPushExample = {
  ...waitingPushExample,
  items: [
    {
      article_id: articleIds[0],
      status: 'succeeded',
      remote_url: 'https://blog.example.com/my-first-post/',
      error: null,
      attempts: 1,
    },
    {
      article_id: articleIds[1],
      status: 'diverged',
      remote_url: 'https://blog.example.com/my-second-post/',
      error: 'The post was changed there since the last push. Push it with force to overwrite that.',
      attempts: 1,
    },
  ],
  finished_at: '2026-03-01T09:00:04.250Z',
};
