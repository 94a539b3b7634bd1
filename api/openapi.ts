import { composeDocument } from './framework/openapi/document.ts';
import type { Json } from './framework/openapi/schemas.ts';
import type { Operation } from './framework/operation.ts';
import { webhooksOf } from './resources/webhooks/openapi.ts';

/**
 * The OpenAPI 3.1 document of operations and webhooks.
 *
 * @param server the base URL, with its version
 */
export const openApiDocument = (operations: readonly Operation[], server: string): Json =>
  composeDocument(operations, webhooksOf, server);
