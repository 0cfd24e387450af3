import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { readBrand } from './brand/brand.ts'
import { compileWords } from './web/app/build/words.ts'

const brand = readBrand()

export default defineConfig({
  plugins: [compileWords({ product: brand.name })],
  define: {
    __SHOP_BRAND__: JSON.stringify(brand),
    __SHOP_CLAIMS__: JSON.stringify(brand.claims),
    __OPENING_HOURS__: JSON.stringify(brand.openingHours ?? null),
  },
  test: {
    include: ['{words,brand,domain,contract,server,web,test,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/browser/**'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // The default leaves one core unused.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
