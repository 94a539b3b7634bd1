import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = Readonly<Record<string, any>>;

/** Validates values by the schemas of an OpenAPI document. Each schema is compiled when it is first used. */
export class PublishedSchemas {
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  readonly #compiled = new Map<object, ValidateFunction>();

  /** @param schemas the components that other schemas refer to */
  constructor(schemas: Json) {
    formats.default(this.#ajv);
    this.#ajv.addVocabulary(['x-extensible-enum', 'example']);
    for (const [name, schema] of Object.entries(schemas))
      this.#ajv.addSchema(withNames(schema as Json), name);
  }

  /** What is wrong with a value; null if nothing is. */
  mistakes(schema: Json, value: unknown): string | null {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile(withNames(schema));
      this.#compiled.set(schema, validate);
    }
    return validate(value) ? null : this.#ajv.errorsText(validate.errors, { dataVar: 'body' });
  }
}

/** A component has its name as its id. */
const withNames = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as Json;
