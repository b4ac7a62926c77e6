import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Calls go to the same origin as the page. In development the dev server passes them on to a running server.
const server = process.env.TYRIAN_URL ?? 'http://127.0.0.1:9500';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  define: { global: 'globalThis' },
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // The language service asks for Node's `fs` on Node only; that it is absent in the browser is right.
      onLog: (level, log, report) => {
        if (!(log.message.includes('externalized') && log.message.includes('kusto'))) report(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            // The texts of one language are one file, save those that the editor alone says.
            {
              debugName: 'locale',
              name: (id) => /\/locales\/(?!editor\.)[^/]+\.([a-z]{2}-[A-Z]{2})\.json$/.exec(id)?.[1] ?? null,
            },
            { name: 'mantine', test: /node_modules\/@mantine\/(core|hooks|notifications|modals)\// },
            { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/lc/': { target: server },
      '^/[A-Za-z0-9_-]+/(api|wrk|mgmt)/': { target: server },
      '^/openapi.json': { target: server },
    },
  },
});
