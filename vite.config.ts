import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { type Brand, BrandError, readBrand } from './brand/brand.ts'
import { brandInApp, brandPictures } from './web/app/build/brand.ts'
import { installableApp } from './web/app/build/installable.ts'
import { precompress } from './web/app/build/precompress.ts'
import { prerenderPages } from './web/app/build/prerender.ts'
import { slimRoutes } from './web/app/build/slim.ts'
import { typeface } from './web/app/build/typeface.ts'
import { compileWords } from './web/app/build/words.ts'

const brand = readBrandOfSettings()
const brandWords = { product: brand.name, folder: brand.wordsFolder }
const api = process.env.API_URL ?? 'http://127.0.0.1:3000'

/** What the app and the renderer of its pages are both built with. */
const shared = (command: 'build' | 'serve' = 'build'): UserConfig => ({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  publicDir: false,
  plugins: [
    slimRoutes(),
    typeface(command, brand),
    brandInApp(brand),
    compileWords(brandWords),
    react(),
    tailwindcss(),
  ],
})

export default defineConfig(({ command }) => ({
  ...shared(command),
  plugins: [
    shared(command).plugins,
    brandPictures(brand),
    installableApp(brand, brandWords),
    prerenderPages(shared, brand, brandWords),
    precompress(),
  ],
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
    // What browsers load contains these packages, so everybody may read their licenses.
    license: { fileName: 'licenses.md' },
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Each icon reads a property and does nothing with it.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // Each page has the names of a hundred chunks. A hash of 8 characters would cost it 70 bytes more.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            // What every page needs is one file: that compresses best.
            { name: 'index', tags: ['$initial'] },
            // Small parts that most screens share. In a file each, a visitor's first page would need a third more requests, and more bytes.
            {
              name: 'common',
              test: /web\/(kit|cards|forms|wire)|lucide/,
              minShareCount: 30,
              includeDependenciesRecursively: false,
            },
            // In parts, because the chat needs fewer of them, these cost the sell form 550 bytes more. What they import is on
            // visitors' pages too, which must not load the rest. `doubt` and `encode` come with the first photo.
            {
              name: 'photos',
              test: /web\/kit\/photos\/(?!doubt|encode)|web\/wire\/upload/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
}))

/** Ends the build with the brand's problems alone, without a stack. */
function readBrandOfSettings(): Brand {
  const setting = (name: string) => process.env[name]?.trim() || undefined
  try {
    return readBrand(setting('BRAND_DIR'), {
      name: setting('PRODUCT_NAME'),
      email: setting('SUPPORT_EMAIL'),
      phone: setting('SUPPORT_PHONE'),
      hours: setting('SUPPORT_HOURS'),
    })
  } catch (error) {
    if (!(error instanceof BrandError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
