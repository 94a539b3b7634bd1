/** Optional members of parameters. */
const optional = ['cursor', 'arguments', '_meta'] as const;

/** A message in which `null` counts as left out, where clients send it for members they have no value for. */
export function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !('params' in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params) || optional.every((name) => params[name] !== null)) return message;
  const kept = Object.entries(params).filter(
    ([name, value]) => value !== null || !(optional as readonly string[]).includes(name),
  );
  return { ...message, params: Object.fromEntries(kept) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
