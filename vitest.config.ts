import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readBrand } from './brand/brand.ts'
import { importFlags } from './scripts/become.mjs'
import { compileWords } from './web/app/build/words.ts'

const brand = readBrand()

/** Files whose tests take many seconds each, mostly because they wait for processes. */
const LONG = /\/test\/(faults|demo)|\/operator\/(backup|program)|\/server\/main\./

/** Starts long files first: one of them alone at the end would leave the other workers idle. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  plugins: [compileWords({ product: brand.name })],
  define: {
    __SHOP_BRAND__: JSON.stringify(brand),
    __SHOP_CLAIMS__: JSON.stringify(brand.claims),
    __OPENING_HOURS__: JSON.stringify(brand.openingHours ?? null),
    __SHOP_HERO__: JSON.stringify(brand.hero),
    __SHOP_DRAWINGS__: 'null',
  },
  test: {
    include: ['{words,brand,domain,contract,server,web,test,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/browser/**'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    execArgv: importFlags,
    sequence: { sequencer: LongFirst },
    // Tests often wait for processes and the database, so with one more than there are cores no core is unused.
    maxWorkers: availableParallelism() + 1,
    // Timeouts only end tests that hang: they are long enough for a busy machine and measure no speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
