import { onTestFinished } from 'vitest'

const works: (() => Promise<void>)[] = []

/** Runs `work` after the current test, or after all tests of the file when called outside of a test. */
export function afterwards(work: () => Promise<void>): void {
  try {
    onTestFinished(work)
  } catch {
    works.push(work)
  }
}

/** Runs what a file left for its end. Vitest loses an `afterAll` that is called inside `beforeAll`, so there is a list. */
export async function finishFile(): Promise<void> {
  for (const work of works.splice(0).reverse()) await work()
}
