import type { Answer, TestApi } from './api.ts';

let sequence = 0;

/** Reserves and uploads through the API, as a client does. @returns the upload's id */
export async function uploadBytes(
  api: TestApi,
  key: string,
  bytes: Uint8Array,
  body: object = {},
): Promise<string> {
  const { status, data } = await api.request('POST', '/media/upload-url', {
    key,
    body: { file_name: 'photo.jpg', content_type: 'image/jpeg', ...body },
    idempotencyKey: true,
  });
  if (status !== 201) throw new Error(`The reservation was answered ${status}`);
  const stored = await fetch(data.upload_url, {
    method: 'PUT',
    headers: { 'content-type': data.headers['Content-Type'] },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  if (stored.status !== 200) throw new Error(`The upload was answered ${stored.status}`);
  return data.upload_id;
}

/** Registers an upload with a new Idempotency-Key. */
export const registerUpload = (api: TestApi, key: string, id: string, body: object = {}): Promise<Answer> =>
  api.request('POST', '/media', {
    key,
    body: { upload_id: id, ...body },
    idempotencyKey: `register-${process.pid}-${(sequence += 1)}`,
  });
