import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

/** Compresses the assets once, so that the API does not have to at each request. */
const precompressed = (): Plugin => {
  let folder = '';
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir, 'assets');
      if (build.outDir.startsWith('/')) folder = join(build.outDir, 'assets');
    },
    closeBundle: () => {
      for (const name of readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
};

const neededByAll =
  /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](history|react-router|react-store|router-core|store))[\\/]/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [precompressed()],
  build: {
    target: 'es2023',
    // The content security policy allows no data: URL but for images.
    assetsInlineLimit: 0,
    manifest: true,
    // The polyfill is an inline script; every browser that the target names preloads modules itself.
    modulePreload: { polyfill: false },
    cssMinify: true,
    reportCompressedSize: false,
    emptyOutDir: true,
    // `"use client"` means nothing here.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      // The shell lists the files of all screens: without names that is half as long.
      output: {
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: 'assets/[hash][extname]',
        // The packages that every screen needs whole: one file, which most releases leave as it is.
        codeSplitting: { groups: [{ name: 'packages', test: neededByAll }] },
      },
    },
  },
});
