import { request } from 'undici';
import { createJpeg } from './images.ts';
import type { SeededSite } from './seed.ts';

/** Concurrent uploads; the store is on the same machine. */
const SIDE_BY_SIDE = 8;

/** An uploaded image, and the key that may register it. */
export interface Upload {
  readonly key: string;
  readonly id: string;
}

/** Reserves and uploads images of 1 MB through the API, as clients do. */
export async function uploadImages(
  sites: readonly SeededSite[],
  origin: string,
  count: number,
): Promise<readonly Upload[]> {
  const body = await createJpeg();
  const keys = sites.flatMap((site) => site.keys);
  const uploads: Upload[] = [];
  let begun = 0;
  const upload = async (): Promise<void> => {
    while (begun < count) {
      const number = (begun += 1);
      const key = keys[number % keys.length] as string;
      const { id, url, headers } = await reserve(origin, key, body.length);
      const stored = await request(url, { method: 'PUT', headers, body });
      await stored.body.dump();
      if (stored.statusCode !== 200) throw new Error(`An upload failed with ${stored.statusCode}`);
      uploads.push({ key, id });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, upload));
  return uploads;
}

async function reserve(
  origin: string,
  key: string,
  sizeBytes: number,
): Promise<{ id: string; url: string; headers: Record<string, string> }> {
  const answer = await request(`${origin}/v1/media/upload-url`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ file_name: 'bench.jpg', content_type: 'image/jpeg', size_bytes: sizeBytes }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`A reservation failed: ${answer.statusCode} ${text}`);
  const { data } = JSON.parse(text) as {
    data: { upload_id: string; upload_url: string; headers: Record<string, string> };
  };
  return { id: data.upload_id, url: data.upload_url, headers: data.headers };
}
