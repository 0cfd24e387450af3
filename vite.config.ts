import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimRoutes } from './web/build/slim-routes.ts'

const api = process.env.API_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  // The room of the visitor's screens is called public/, so that the files copied as they are live in static/.
  publicDir: 'static',
  plugins: [slimRoutes(), react(), tailwindcss()],
  define: {
    'import.meta.env.PRODUCT_NAME': JSON.stringify(process.env.PRODUCT_NAME || 'Unspent'),
  },
  server: {
    proxy: {
      '/api': api,
      '/uploads': api,
      '/ws': { target: api.replace(/^http/, 'ws'), ws: true },
    },
  },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs is one file: it compresses better, and it stays cached from release to release.
            {
              name: 'index',
              tags: ['$initial'],
              test: /^(?!.*(infiniteQuery|mutationObserver|useMutation|useInfinite|queriesObserver))/,
            },
          ],
        },
      },
    },
  },
})
