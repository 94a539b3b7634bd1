// In a project of your own this file is one line: export * from '@presswork/sdk';
export * from '../../sdk/src/index.ts';
