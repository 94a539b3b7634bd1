type Name =
  /** Of the superuser, who may look at everything and break it. */
  | 'DATABASE_URL'
  | 'APPLICATION_DATABASE_URL'
  | 'MIGRATION_DATABASE_URL'
  | 'SUPPORT_DATABASE_URL'
  | 'TEMPORAL_ADDRESS'
  | 'TEMPORAL_PROGRAM'
  | 'TIME_SKIPPING_SERVER'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_BUCKET'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY';

/** Where the servers of this test run can be reached: what dev/test.ts started. */
export function environment(name: Name): string {
  const value = process.env[`PRESSWORK_TEST_${name}`];
  if (value === undefined) throw new Error('The tests need their servers: run them with npm test');
  return value;
}
