type Json = Readonly<Record<string, any>>;

/** `input` is sent by clients, `output` by the service. */
type Direction = 'input' | 'output';

/**
 * What a newer OpenAPI document takes from clients of an older one (docs/spec/service-api.md, Versioning). Additions
 * are no such thing: operations, optional members of requests, members of answers, values of enumerations, events.
 *
 * @returns one line for each
 */
export function breakingChanges(older: Json, newer: Json): readonly string[] {
  const found: string[] = [];
  const comparison = new Comparison(older, newer, found);
  for (const [path, items] of Object.entries(older['paths'] as Json)) {
    for (const [method, operation] of Object.entries(items as Json)) {
      const name = `${method.toUpperCase()} ${path}`;
      comparison.operations(name, operation as Json, newer['paths'][path]?.[method]);
    }
  }
  for (const [event, { post }] of Object.entries((older['webhooks'] ?? {}) as Json)) {
    comparison.deliveries(event, post as Json, newer['webhooks']?.[event]?.post);
  }
  return found;
}

class Comparison {
  readonly #older: Json;
  readonly #newer: Json;
  readonly #found: string[];
  /** The pairs of components that have been compared: a schema may contain itself. */
  readonly #compared = new Set<string>();

  constructor(older: Json, newer: Json, found: string[]) {
    this.#older = older;
    this.#newer = newer;
    this.#found = found;
  }

  operations(name: string, older: Json, newer: Json | undefined): void {
    if (newer === undefined) return this.#say(name, 'is gone');
    if (older['operationId'] !== newer['operationId']) this.#say(name, 'has another operationId');
    this.#rights(name, older, newer);
    this.#parameters(name, older['parameters'] as Json[], newer['parameters'] as Json[]);
    this.#requests(name, older['requestBody'], newer['requestBody']);
    for (const [status, response] of Object.entries(older['responses'] as Json)) {
      if (Number(status) < 300)
        this.#answers(`${name}, ${status}`, response as Json, newer['responses'][status]);
    }
    const statusOf = statusesByCode(this.#newer, newer);
    for (const [code, statuses] of statusesByCode(this.#older, older)) {
      const now = statusOf.get(code);
      if (now !== undefined && !isSame(now, statuses)) this.#say(name, `answers ${code} with another status`);
    }
  }

  deliveries(event: string, older: Json, newer: Json | undefined): void {
    if (newer === undefined) return this.#say(event, 'is gone');
    const names = (newer['parameters'] as Json[]).map(({ name }) => name as string);
    for (const { name } of older['parameters'] as Json[]) {
      if (!names.includes(name as string)) this.#say(event, `is delivered without ${name as string}`);
    }
    this.#schemas(event, 'output', contentOf(older['requestBody']), contentOf(newer['requestBody']));
  }

  /** A key that could call an operation still can. */
  #rights(name: string, older: Json, newer: Json): void {
    if (!isSame(older['security'], newer['security'])) this.#say(name, 'needs another scope');
    if (older['x-permission'] !== newer['x-permission']) this.#say(name, 'needs another permission');
    if (older['x-publishable-key'] && !newer['x-publishable-key'])
      this.#say(name, 'is closed to publishable keys');
  }

  #parameters(name: string, older: readonly Json[], newer: readonly Json[]): void {
    const same = (one: Json) => (other: Json) => one['name'] === other['name'] && one['in'] === other['in'];
    for (const parameter of older) {
      const now = newer.find(same(parameter));
      const at = `${name}, ${parameter['name'] as string}`;
      if (now === undefined) this.#say(at, 'is gone');
      else this.#schemas(at, 'input', parameter['schema'] as Json, now['schema'] as Json);
    }
    for (const parameter of newer) {
      const before = older.find(same(parameter));
      if (parameter['required'] && !before?.['required'])
        this.#say(`${name}, ${parameter['name'] as string}`, 'has become required');
    }
  }

  #requests(name: string, older: Json | undefined, newer: Json | undefined): void {
    if (newer?.['required'] && !older?.['required']) this.#say(name, 'has come to require a body');
    if (older === undefined) return;
    if (newer === undefined) return this.#say(name, 'takes no body any more');
    this.#schemas(`${name}, body`, 'input', contentOf(older), contentOf(newer));
  }

  #answers(name: string, older: Json, newer: Json | undefined): void {
    if (newer === undefined) return this.#say(name, 'is gone');
    for (const header of Object.keys((older['headers'] ?? {}) as Json)) {
      if (!(header in ((newer['headers'] ?? {}) as Json)))
        this.#say(name, `has no header ${header} any more`);
    }
    const [before, now] = [contentOf(older), contentOf(newer)];
    if ((before === undefined) !== (now === undefined)) this.#say(name, 'has a body, or none, unlike before');
    else this.#schemas(name, 'output', before, now);
  }

  #schemas(at: string, direction: Direction, older: Json | undefined, newer: Json | undefined): void {
    if (older === undefined || newer === undefined) return;
    if (older['$ref'] !== undefined && newer['$ref'] !== undefined) {
      const pair = `${direction} ${older['$ref'] as string} ${newer['$ref'] as string}`;
      if (this.#compared.has(pair)) return;
      this.#compared.add(pair);
    }
    const before = whole(this.#older, older);
    const now = whole(this.#newer, newer);
    this.#values(at, direction, before, now);
    this.#members(at, direction, before, now);
    this.#schemas(`${at}[]`, direction, before['items'] as Json, now['items'] as Json);
    this.#alternatives(at, direction, before, now);
  }

  #values(at: string, direction: Direction, before: Json, now: Json): void {
    for (const keyword of ['format', 'pattern', 'const', 'explode']) {
      const gone = direction === 'input' && now[keyword] === undefined;
      if (!gone && !isSame(before[keyword], now[keyword])) this.#say(at, `has another ${keyword}`);
    }
    const [types, typesNow] = [typesOf(before), typesOf(now)];
    // Clients may send what they could send, and receive nothing that they could not receive.
    const [from, to] = direction === 'input' ? [types, typesNow] : [typesNow, types];
    if (!from.every((type) => to.includes(type))) this.#say(at, `has the type ${typesNow.join(' or ')}`);
    const [values, valuesNow] = [valuesOf(before), valuesOf(now)];
    for (const value of values) {
      if (!valuesNow.includes(value) && (direction === 'output' || valuesNow.length > 0))
        this.#say(at, `has no value ${String(value)} any more`);
    }
    if (direction === 'output') return;
    if (values.length === 0 && valuesNow.length > 0) this.#say(at, 'has become an enumeration');
    for (const keyword of ['maxLength', 'maxItems', 'maximum']) {
      if ((now[keyword] ?? Infinity) < (before[keyword] ?? Infinity))
        this.#say(at, `has a smaller ${keyword}`);
    }
    for (const keyword of ['minLength', 'minItems', 'minimum']) {
      if ((now[keyword] ?? -Infinity) > (before[keyword] ?? -Infinity))
        this.#say(at, `has a larger ${keyword}`);
    }
  }

  #members(at: string, direction: Direction, before: Json, now: Json): void {
    const [required, requiredNow] = [requiredOf(before), requiredOf(now)];
    const [stricter, laxer] = direction === 'input' ? [requiredNow, required] : [required, requiredNow];
    const turned = direction === 'input' ? 'has become required' : 'may be absent';
    for (const name of stricter.filter((one) => !laxer.includes(one))) {
      if (direction === 'input' || name in ((now['properties'] ?? {}) as Json))
        this.#say(`${at}.${name}`, turned);
    }
    for (const [name, member] of Object.entries((before['properties'] ?? {}) as Json)) {
      const next = now['properties']?.[name] as Json | undefined;
      if (next === undefined) this.#say(`${at}.${name}`, 'is gone');
      else this.#schemas(`${at}.${name}`, direction, member as Json, next);
    }
  }

  /** A shape that may be null, or one of several shapes. */
  #alternatives(at: string, direction: Direction, before: Json, now: Json): void {
    for (const keyword of ['anyOf', 'oneOf']) {
      const [some, someNow] = [before[keyword] as Json[] | undefined, now[keyword] as Json[] | undefined];
      if (some === undefined && someNow === undefined) continue;
      if (some?.length !== someNow?.length) this.#say(at, `has other alternatives in ${keyword}`);
      else
        for (const [index, one] of (some ?? []).entries())
          this.#schemas(at, direction, one, someNow?.[index]);
    }
  }

  #say(at: string, what: string): void {
    this.#found.push(`${at}: ${what}`);
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const whole = (document: Json, node: Json): Json => {
  const reference = node['$ref'] as string | undefined;
  if (reference === undefined) return node;
  const path = reference.slice(2).split('/');
  return path.reduce<any>((inner, name) => inner[name], document) as Json;
};

const contentOf = (node: Json | undefined): Json | undefined =>
  node?.['content']?.['application/json']?.schema as Json | undefined;

const typesOf = ({ type }: Json): readonly string[] =>
  type === undefined ? [] : ([type].flat() as readonly string[]);

const valuesOf = (schema: Json): readonly unknown[] =>
  (schema['enum'] ?? schema['x-extensible-enum'] ?? []) as readonly unknown[];

const requiredOf = ({ required }: Json): readonly string[] => (required ?? []) as readonly string[];

function statusesByCode(document: Json, operation: Json): Map<string, readonly string[]> {
  const statuses = new Map<string, readonly string[]>();
  for (const [status, response] of Object.entries(operation['responses'] as Json)) {
    for (const code of (whole(document, response as Json)['x-error-codes'] ?? []) as string[])
      statuses.set(code, [...(statuses.get(code) ?? []), status]);
  }
  return statuses;
}
