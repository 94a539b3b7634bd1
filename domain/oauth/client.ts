import { z } from 'zod';
import { isRedirectUri } from './redirect-uri.ts';

/** A program that asks for access, as its metadata document describes it. */
export interface Client {
  /** The address of the document. */
  readonly id: string;
  /** Written by strangers: without characters that hide or reorder text, and short. */
  readonly name: string;
  /** Those of its redirect URIs that may be asked for here. */
  readonly redirectUris: readonly string[];
}

const LONGEST_ID = 1_000;
const LONGEST_NAME = 100;

/**
 * Whether a text can be the id of a client: an https URL with a path, spelled as a URL parser writes it, so that no other
 * spelling means the same, without fragment and user info. A parser also removes dot segments.
 *
 * @param isAllowed whether the operator has exempted the host from https
 */
export function readClientId(text: string, isAllowed: (url: URL) => boolean): URL | null {
  const url = text.length > LONGEST_ID ? null : URL.parse(text);
  if (url === null || url.href !== text || text.includes('#')) return null;
  if (url.username !== '' || url.password !== '' || url.pathname === '/') return null;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && isAllowed(url) ? url : null;
}

/** An optional member of another form, such as null, counts as left out. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** A document is written for many servers, so it may hold more than this one takes. */
const document = z.object({
  client_id: z.string(),
  client_name: optional(z.string()),
  redirect_uris: z.array(z.unknown()),
  token_endpoint_auth_method: optional(z.string()),
  grant_types: optional(z.array(z.string())),
  response_types: optional(z.array(z.string())),
});

/** The mistake of a document, in words for its author. */
export interface BadDocument {
  readonly problem: string;
}

/** Reads a client's metadata document (draft-ietf-oauth-client-id-metadata-document). */
export function readClient(id: URL, json: unknown): Client | BadDocument {
  const { data, error } = document.safeParse(json);
  if (data === undefined) {
    const [issue] = error.issues;
    return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
  }
  const redirectUris = data.redirect_uris.filter((uri) => typeof uri === 'string').filter(isRedirectUri);
  const problem = problemOf(id, data, redirectUris);
  if (problem !== null) return { problem };
  return {
    id: id.href,
    name: shortName(data.client_name ?? '') || id.host,
    redirectUris,
  };
}

function problemOf(id: URL, data: z.infer<typeof document>, redirectUris: readonly string[]): string | null {
  if (data.client_id !== id.href) return 'client_id: must be the address of the document';
  if ((data.token_endpoint_auth_method ?? 'none') !== 'none')
    return 'token_endpoint_auth_method: must be none, because clients have no secret here';
  if (data.grant_types?.includes('authorization_code') === false)
    return 'grant_types: must contain authorization_code';
  if (data.response_types?.includes('code') === false) return 'response_types: must contain code';
  return redirectUris.length > 0
    ? null
    : 'redirect_uris: one must be https, http on the loopback interface, or of a scheme such as com.example.app:';
}

/** A name as it may stand in the list of keys: control and format characters could hide or reorder the text around it. */
const shortName = (name: string): string =>
  [
    ...name
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, LONGEST_NAME)
    .join('')
    .trim();
