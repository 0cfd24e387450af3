import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** Debian's browser where there is one, if possible without windows; else the one that Playwright installs for itself. */
const chromium =
  process.env.CHROMIUM_PATH ||
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

export default defineConfig({
  testDir: 'test/browser',
  outputDir: 'test-results',
  // One server for each worker. A third one saves a minute, and makes each wait for the others.
  workers: 2,
  // No measures of speed: so long that only what never comes is missed, on a machine that does much else too.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  forbidOnly: Boolean(process.env.CI),
  use: {
    actionTimeout: 30_000,
    // Recording a trace of every test costs half as much again: `-- --trace=retain-on-failure` asks for it.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        // Without these Chromium calls home, which a closed network refuses, noisily.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
