/** The path prefix of version 1 (docs/spec/service-api.md, Versioning). */
export const BASE_PATH = '/v1';
