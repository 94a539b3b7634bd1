#!/usr/bin/env node
// `npx presswork …`: the same command line on the Node that the packages bring along.
process.argv.splice(2, 0, 'presswork');
await import('../dev/launch.mjs');
