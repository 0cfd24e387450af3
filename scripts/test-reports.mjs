/**
 * What the JSON reports of the test runners say: how many passed, and of each that failed its name and why. A run is
 * ten minutes of output; whoever sees only its end shall see what failed.
 */
import { relative } from 'node:path'
import { root } from './bootstrap.mjs'

/** Lines of a failure that are said again at the end. */
const LINES = 12

/**
 * @param {any} report of Vitest
 * @returns {{ passed: number, failures: { name: string, why: string }[] }}
 */
export function readVitest(report) {
  const failures = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    const name = relative(root, file.name)
    // A file that could not be loaded has no tests to count.
    if (file.status === 'failed' && file.assertionResults.length === 0) return [failure(name, file.message)]
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages.join('\n')))
  })
  return { passed: report.numPassedTests, failures }
}

/**
 * @param {any} report of Playwright
 * @returns {{ passed: number, failures: { name: string, why: string }[] }}
 */
export function readPlaywright({ suites, stats, errors }) {
  const failures = suites
    .flatMap(specsOf)
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const error = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))[0]
      return failure(`${file}:${line} › ${title}`, error?.message ?? '')
    })
  // What belongs to no test: a file that could not be loaded.
  const loose = errors.map(({ message }) => failure('outside of the tests', message))
  return { passed: stats.expected + stats.flaky, failures: [...failures, ...loose] }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

function failure(name, why = '') {
  const lines = why.split('\n').filter((line) => !line.includes('node_modules'))
  return { name, why: lines.slice(0, LINES).join('\n') }
}
