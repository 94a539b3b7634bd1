/** ENCRYPTION_KEY of all processes that a test starts on one database: with another key a process refuses to start. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');
