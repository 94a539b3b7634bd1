/** A JSON Schema of the OpenAPI document: the members that its readers use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The description of an enumeration that may get new values says so. */
export const OPEN_ENUMERATION = 'An open enumeration: accept values that you do not know.';

/** The name of the component that a reference leads to. */
export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);
