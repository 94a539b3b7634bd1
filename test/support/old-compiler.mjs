import { registerHooks } from 'node:module';

const sdk = new URL('../../sdk/package.json', import.meta.url).href;

// For generators that print with the compiler's JavaScript API, which TypeScript 7 no longer has: they get the SDK's.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: sdk } : context),
});
