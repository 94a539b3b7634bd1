import Router from '@koa/router';
import { isUuid } from '../../packages/base/fields.ts';
import type { Operation } from './operation.ts';

/** The result of routing a method and path. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      /** Method and path as declared. */
      readonly name: string;
      readonly params: Record<string, string>;
      readonly allow: readonly string[];
    }
  /** The path exists, but not with this method; also the result for OPTIONS. */
  | { readonly kind: 'path'; readonly operations: readonly Operation[]; readonly allow: readonly string[] }
  /** There is no such path. */
  | { readonly kind: 'unknown' };

/**
 * Creates the look-up of operations by path and method. Paths are case-sensitive and have no trailing slash; a fixed
 * path takes precedence over one with a parameter, for every method (docs/spec/rulings.md, 1).
 *
 * @param isPage whether the GET of a full path is served elsewhere; here it accepts no other method
 */
export function createRoutes(
  operations: readonly Operation[],
  prefix: string,
  isPage: (path: string) => boolean,
): (method: string, path: string) => Route {
  // One for each first segment after the prefix: a router tries all of its paths in turn.
  const routers = new Map<string, Router>();
  const segmentOf = (path: string): string => path.slice(prefix.length + 1).split('/', 1)[0] ?? '';
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    const path = prefix + operation.path;
    byPath.set(path, [...(byPath.get(path) ?? []), operation]);
  }
  for (const path of byPath.keys()) {
    const segment = segmentOf(path);
    const router = routers.get(segment) ?? new Router({ sensitive: true, strict: true });
    routers.set(
      segment,
      router.all(path, () => {}),
    );
  }

  const names = new Map(operations.map((operation) => [operation, nameOf(operation)]));
  const literal = (path: string): boolean => !path.includes(':');
  /** Whether a method that only has fixed names here, such as those of scans, is used with another name. */
  const isMissingName = (
    layer: { readonly path: string | RegExp },
    path: string,
    method: string,
  ): boolean => {
    const at = path.lastIndexOf('/');
    if (!String(layer.path).endsWith('/:id') || isUuid(path.slice(at + 1))) return false;
    const names = operations.filter(
      (one) => literal(one.path) && (prefix + one.path).startsWith(path.slice(0, at + 1)),
    );
    return names.some((one) => one.method === method);
  };
  const page: Route = { kind: 'path', operations: [], allow: ['GET', 'HEAD', 'OPTIONS'] };
  return (method, path) => {
    if (isPage(path)) return page;
    const layers = routers.get(segmentOf(path))?.match(path, 'GET').path ?? [];
    const layer = layers.find((candidate) => literal(String(candidate.path))) ?? layers[0];
    const found = layer && byPath.get(String(layer.path));
    if (layer === undefined || found === undefined) return { kind: 'unknown' };
    const allow = allowedMethods(found);
    const wanted = method === 'HEAD' ? 'GET' : method;
    const operation = found.find((candidate) => candidate.method === wanted);
    if (operation === undefined) {
      if (isMissingName(layer, path, wanted)) return { kind: 'unknown' };
      return { kind: 'path', operations: found, allow };
    }
    const name = names.get(operation) ?? '';
    return { kind: 'operation', operation, name, params: layer.params(path, layer.captures(path)), allow };
  };
}

/** Path parameters with ids in lower case; null if an id is malformed, as such an object cannot exist. */
export function normalizeParams(
  operation: Operation,
  params: Record<string, string>,
): Record<string, string> | null {
  const normal: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    if (operation.textParams?.[name] !== undefined) {
      if (value.includes('\0')) return null;
      normal[name] = value;
    } else {
      if (!isUuid(value)) return null;
      normal[name] = value.toLowerCase();
    }
  }
  return normal;
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;

function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ method }) => method as string);
  return [
    ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
    ...methods.filter((method) => method !== 'GET'),
    'OPTIONS',
  ];
}
