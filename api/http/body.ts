import type { IncomingMessage } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { invalidRequest } from '../../domain/kernel/errors.ts';
import { ByteBudget } from './byte-budget.ts';
import { excessOf } from './json-bounds.ts';
import { whereJsonFails } from '../../packages/base/json-failure.ts';

/** 1 MiB (docs/spec/service-api.md, Limits). */
const BODY_LIMIT = 1_048_576;

/**
 * Memory for the bodies of all requests in flight. A body takes several times its size: as text, as parsed values, and
 * again in the answer. The wait is shorter than the 30 s in which a request has to arrive.
 */
const bodies = new ByteBudget({
  total: Math.max(4 * BODY_LIMIT, getHeapStatistics().heap_size_limit / 16),
  perClient: 1 / 8,
  waitMs: 25_000,
});

/** Releases the share of a request in flight. */
const shares = new WeakMap<IncomingMessage, () => void>();

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a request announces a body. */
const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads a request body as a JSON object (docs/spec/rulings.md, 1). `null` and an empty body count as no body. The
 * request holds a share of the process's memory until the caller calls `releaseBody`.
 *
 * @param client the owner of the share
 * @returns undefined if there is no body
 * @throws ServiceError INVALID_REQUEST with 400, 413 or 415, MAINTENANCE if other bodies hold all the memory
 */
export async function readBody(
  request: IncomingMessage,
  client: string,
): Promise<Record<string, unknown> | undefined> {
  if (request.headers['content-encoding'] !== undefined) {
    throw invalidRequest('Content-Encoding: is not supported. Send the body without an encoding.', {
      status: 415,
    });
  }
  if (!hasBody(request)) return undefined;
  const type = request.headers['content-type'];
  // A chunked body may turn out to be empty, and an empty body needs no type.
  if (type !== undefined || request.headers['transfer-encoding'] === undefined) requireJson(type);
  const bytes = await readBytes(request, client);
  if (bytes.length === 0) return undefined;
  requireJson(type);
  const value = parse(bytes);
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidRequest('The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Releases the request's share of memory, after it has been answered. */
export function releaseBody(request: IncomingMessage): void {
  shares.get(request)?.();
  shares.delete(request);
}

/** Whether a label means UTF-8 (https://encoding.spec.whatwg.org), or ASCII, which is a part of it. */
function isUtf8(label: string): boolean {
  if (label === 'us-ascii' || label === 'ascii') return true;
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    return false;
  }
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (type === 'application/json' && (charset === undefined || isUtf8(charset.replaceAll(/["']/g, ''))))
    return;
  throw invalidRequest('Content-Type: must be application/json, in UTF-8.', { status: 415 });
}

const tooLarge = (limit: number) =>
  invalidRequest(`The body is larger than ${limit.toLocaleString('en')} bytes.`, { status: 413 });

const gone = () => invalidRequest('The connection was closed before the whole body arrived.');

/**
 * Rejects a body as soon as its announced or counted size exceeds the limit, and never holds more than the limit.
 *
 * @param client the owner of the share of memory that is held until `releaseBody`
 * @param budget of the memory; another one keeps these bodies apart from those of all other requests
 */
export async function readBytes(
  request: IncomingMessage,
  client: string,
  limit = BODY_LIMIT,
  budget = bodies,
): Promise<Buffer> {
  // A chunked body does not announce its size.
  const announced = Number(request.headers['content-length'] ?? limit);
  if (announced > limit) throw tooLarge(limit);
  // A destroyed request emits no further event, so waiting for one would never end.
  if (request.destroyed) throw gone();
  const left = new AbortController();
  const leave = (): void => left.abort(gone());
  request.once('close', leave);
  try {
    shares.set(request, await budget.take(client, announced, left.signal));
  } finally {
    request.off('close', leave);
  }
  return collect(request, limit);
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else settle(() => reject(tooLarge(limit)));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, length)));
    const onGone = (): void => settle(() => reject(gone()));
    const settle = (outcome: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      // Later errors of this stream have no listener, and would end the process.
      request.on('error', () => {});
      outcome();
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function parse(bytes: Buffer): unknown {
  const excess = excessOf(bytes);
  if (excess !== null) throw invalidRequest(`The body ${excess}.`);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidRequest('The body must be UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw invalidRequest(`The body is not JSON: ${whereJsonFails(error)}.`);
  }
}
