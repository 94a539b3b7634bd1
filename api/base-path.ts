/** Where the operations of version 1 live (specification, Versioning). */
export const BASE_PATH = '/v1';
