#!/usr/bin/env node
// `npx presswork …`: runs the command line on the Node version that is installed with the packages.
process.argv.splice(2, 0, 'presswork');
await import('../tools/dev/launch.mjs');
