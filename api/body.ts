import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '../domain/errors.ts';
import { whereJsonFails } from './schema/json-failure.ts';

/** 1 MiB (specification, Limits). */
const BODY_LIMIT = 1_048_576;

/** Levels of nesting at most (decisions 1). */
const DEPTH_LIMIT = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a request announces a body; without one nothing needs to be read. */
const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads the JSON object a request carries (decisions 1). `null` and an empty body are no body.
 *
 * @returns undefined where there is no body
 * @throws ServiceError INVALID_REQUEST with 400, 413 or 415
 */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  if (request.headers['content-encoding'] !== undefined) {
    throw invalidRequest('Content-Encoding: is not supported. Send the body as it is.', { status: 415 });
  }
  if (!hasBody(request)) return undefined;
  const type = request.headers['content-type'];
  // Chunks may turn out to be no body at all, which needs no type.
  if (type !== undefined || request.headers['transfer-encoding'] === undefined) requireJson(type);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  requireJson(type);
  const value = parse(bytes);
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidRequest('The body must be a JSON object.');
  }
  if (isDeeperThan(value, DEPTH_LIMIT)) {
    throw invalidRequest(`The body is nested deeper than ${DEPTH_LIMIT} levels.`);
  }
  return value as Record<string, unknown>;
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isUtf8 = charset === undefined || charset.replaceAll('"', '') === 'utf-8';
  if (type === 'application/json' && isUtf8) return;
  throw invalidRequest('Content-Type: must be application/json, in UTF-8.', { status: 415 });
}

const tooLarge = () => invalidRequest('The body is larger than 1 MiB (1,048,576 bytes).', { status: 413 });

/** Refuses as soon as the limit is passed, announced or counted, and never holds more than that. */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= BODY_LIMIT) chunks.push(chunk);
      else settle(() => reject(tooLarge()));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, length)));
    const onGone = (): void =>
      settle(() => reject(invalidRequest('The connection ended before the whole body had arrived.')));
    const settle = (outcome: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      // Whatever may still fail on this stream has nobody left to tell.
      request.on('error', () => {});
      outcome();
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidRequest('The body is not UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw invalidRequest(`The body is not JSON: ${whereJsonFails(error)}.`);
  }
}

/** Without recursion, which a hostile body would take to the end of the stack. */
function isDeeperThan(root: object, limit: number): boolean {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const node of level) {
      for (const value of Object.values(node))
        if (typeof value === 'object' && value !== null) next.push(value as object);
    }
    level = next;
  }
  return false;
}
