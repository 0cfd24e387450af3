import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** Debian's browser if it is installed, preferably the headless one. Otherwise Playwright's own. */
const chromium =
  process.env.CHROMIUM_PATH ||
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

export default defineConfig({
  testDir: 'test/browser',
  outputDir: 'test-results',
  // One server for each worker. On two cores a third saves no time, and tests wait longer for each other.
  workers: 2,
  // Timeouts only end tests that hang: they are long enough for a busy machine and measure no speed.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // A busy machine may fail one test of hundreds. A test that passed only the second time is named where the run ends.
  retries: 1,
  reporter: 'list',
  forbidOnly: Boolean(process.env.CI),
  use: {
    actionTimeout: 30_000,
    // Traces make the tests take half as long again. Turn them on with `-- --trace=retain-on-failure`.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        // Without these Chromium calls home and floods the log in a closed network.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
