type Name =
  /** Of the superuser. */
  | 'DATABASE_URL'
  | 'APPLICATION_DATABASE_URL'
  | 'MIGRATION_DATABASE_URL'
  | 'SUPPORT_DATABASE_URL'
  | 'TEMPORAL_ADDRESS'
  /** A file. */
  | 'WORKFLOW_BUNDLE'
  | 'TEMPORAL_PROGRAM'
  | 'TIME_SKIPPING_SERVER'
  /** A program; empty if it cannot be had. */
  | 'PAYMENTS_MOCK'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_BUCKET'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY';

/** A variable of this test run, such as the address of a server, set by tools/dev/test.ts. */
export function environment(name: Name): string {
  const value = process.env[`PRESSWORK_TEST_${name}`];
  if (value === undefined) throw new Error('The tests need their servers: run them with npm test');
  return value;
}
