import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { readDeployed } from './files.ts';

/** The permission of AWS for each command of the SDK, from its service authorization reference. */
const permissions: Readonly<Record<string, readonly string[]>> = {
  CopyObject: ['s3:GetObject', 's3:PutObject'],
  DeleteObject: ['s3:DeleteObject'],
  GetBucketCors: ['s3:GetBucketCORS'],
  GetObject: ['s3:GetObject'],
  HeadBucket: ['s3:ListBucket'],
  HeadObject: ['s3:GetObject'],
  ListObjectsV2: ['s3:ListBucket'],
  PutBucketCors: ['s3:PutBucketCORS'],
  PutObject: ['s3:PutObject'],
};

interface Policy {
  readonly Statement: readonly { readonly Action: string | readonly string[]; readonly Resource: string }[];
}

/** What the product sends to the store. */
const commands = readdirSync(join(root, 'adapters/storage'))
  .map((file) => readDeployed(`adapters/storage/${file}`))
  .flatMap((code) => [...code.matchAll(/new (\w+)Command\(/g)].map(([, name = '']) => name));

test('the policy of docs/servers.md allows what the product asks of S3, and nothing else', () => {
  const [, text = ''] = /```json\n(\{\n\s+"Version".*?)```/s.exec(readDeployed('docs/servers.md')) ?? [];
  const { Statement: statements } = JSON.parse(text) as Policy;
  const allowed = statements.flatMap(({ Action: action }) => action);
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((name) => permissions[name] === undefined)).toEqual([]);
  const needed = new Set(commands.flatMap((name) => permissions[name] ?? []));
  expect(allowed.toSorted()).toEqual([...needed].toSorted());
});

test('permissions on objects are for objects, those on the bucket for the bucket', () => {
  const [, text = ''] = /```json\n(\{\n\s+"Version".*?)```/s.exec(readDeployed('docs/servers.md')) ?? [];
  for (const { Action: action, Resource: resource } of (JSON.parse(text) as Policy).Statement)
    for (const name of [action].flat())
      expect([name, resource.endsWith('/*')]).toEqual([name, name.endsWith('Object')]);
});
