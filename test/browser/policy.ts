import type { Page, Response } from '@playwright/test'
import { expect } from './fixtures.ts'
import { forgive } from './sellers.ts'

/** Expects that a page was sent with the policy of all screens. */
export function expectStrictPolicy(answer: Response | null): void {
  const policy = answer?.headers()['content-security-policy'] ?? ''
  const path = answer?.url()
  expect(policy, path).toContain("require-trusted-types-for 'script'")
  expect(policy, path).toMatch(/trusted-types service-worker scan-worker(;|$)/)
  expect(policy, path).not.toContain('unsafe')
}

/** Expects that no page so far has violated its policy, and that the open one refuses markup and scripts in texts. */
export async function expectMarkupRefused(page: Page, complaints: string[]): Promise<void> {
  expect(complaints).toEqual([])
  const refused = await page.evaluate(() => {
    const tries = [
      () => document.createElement('div').insertAdjacentHTML('beforeend', '<b>x</b>'),
      () => {
        document.createElement('div').innerHTML = '<b>x</b>'
      },
      () => {
        document.createElement('script').src = 'https://evil.example/x.js'
      },
    ]
    return tries.map((attempt) => {
      try {
        attempt()
        return 'let through'
      } catch {
        return 'refused'
      }
    })
  })
  expect(refused).toEqual(['refused', 'refused', 'refused'])
  forgive(complaints, /'Trusted(HTML|ScriptURL)' assignment/)
}
