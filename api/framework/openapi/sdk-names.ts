/** Where the SDK has an operation: `presswork.<resource>.<name>`. */
export interface SdkName {
  /** Undefined for a method of the client itself. */
  readonly resource?: string;
  readonly name: string;
}

/** Paths whose resource is not their first segment. */
const resources: readonly (readonly [string, string])[] = [
  ['/auth/device', 'deviceSignIn'],
  ['/content-plan/autopilot', 'autopilot'],
  ['/content-plan', 'planItems'],
  ['/pipeline/prompts', 'prompts'],
  ['/pipeline/voice', 'voice'],
  ['/delivery/connections', 'connections'],
  ['/delivery/cms', 'pushes'],
  ['/delivery/pushes', 'pushes'],
];

const camelCase = (text: string): string =>
  text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The resource that an operation belongs to: `/audit-log` is `auditLog`. */
function resourceOf(path: string): string {
  const named = resources.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return named?.[1] ?? camelCase(path.split('/')[1] ?? '');
}

/** Matches the words of a resource in an operationId, in singular or plural. */
function wordsOf(resource: string): RegExp {
  const words = resource.charAt(0).toUpperCase() + resource.slice(1);
  return new RegExp(`${singularOrPlural(words)}(?![a-z])`);
}

function singularOrPlural(words: string): string {
  if (words.endsWith('ies')) return `${words.slice(0, -3)}(?:y|ies)`;
  if (words.endsWith('shes')) return `${words.slice(0, -2)}(?:es)?`;
  return `${words.replace(/s$/, '')}s?`;
}

/** A method's name is the operationId without the words of its resource (docs/spec/rulings.md, 17). */
export function sdkNameOf(operationId: string, path: string): SdkName {
  const resource = resourceOf(path);
  if (resource === operationId) return { name: operationId };
  return { resource, name: operationId.replace(wordsOf(resource), '') };
}
