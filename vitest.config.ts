import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{domain,contract,server,web,test,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/browser/**'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Left to itself it keeps one core free.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
