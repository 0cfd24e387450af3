import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { precompress } from './web/app/build/precompress.ts'
import { prerenderPages } from './web/app/build/prerender.ts'
import { slimRoutes, slimZod } from './web/app/build/slim.ts'

const api = process.env.API_URL ?? 'http://127.0.0.1:3000'

/** What the app and the renderer of its pages are both built with. */
const shared = (): UserConfig => ({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  plugins: [slimRoutes(), react(), tailwindcss()],
  define: {
    'import.meta.env.PRODUCT_NAME': JSON.stringify(process.env.PRODUCT_NAME || 'Unspent'),
    'import.meta.env.SUPPORT_EMAIL': JSON.stringify(process.env.SUPPORT_EMAIL || ''),
    'import.meta.env.SUPPORT_PHONE': JSON.stringify(process.env.SUPPORT_PHONE || ''),
    'import.meta.env.SUPPORT_HOURS': JSON.stringify(process.env.SUPPORT_HOURS || ''),
  },
})

export default defineConfig({
  ...shared(),
  plugins: [shared().plugins, slimZod(), prerenderPages(shared), precompress()],
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
            // What every page needs is one file: that compresses best.
            { name: 'index', tags: ['$initial'] },
            // So is what most pages with a quote or a form need, and what every form needs.
            {
              name: 'kit',
              test: /web\/kit\/(Field|Money|Notice|PageTitle|Panel|TextField|media|tone)\.|web\/cards\/(BrandTile|text)\.|icons\/(circle-alert|circle-check|info|triangle-alert|search|check)\./,
            },
            { name: 'mutation', test: /useMutation|mutationObserver/ },
            {
              name: 'form',
              test: /node_modules\/react-hook-form\/|web\/(kit\/Form|wire\/use-call-form)/,
            },
          ],
        },
      },
    },
  },
})
