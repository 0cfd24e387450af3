import { z } from 'zod'
import { route } from './route.ts'
import { done, email, id, instant } from './values.ts'

/** How bad a finding is, the worst first. */
export const findingLevels = ['broken', 'unsafe', 'advice'] as const

/** Something that an owner or the operator should look at. */
const finding = z.object({
  code: z.string().describe('For the program'),
  level: z.enum(findingLevels),
  title: z.string(),
  action: z.string().describe('What to do'),
  section: z.string().describe('The heading in the operating guide that explains it'),
})

const givenUpJob = z.object({
  id,
  kind: z.string(),
  error: z
    .string()
    .describe('What failed, without addresses or other values: `550`, `ECONNREFUSED`, `database`'),
  attempts: z.number().int(),
  failedAt: instant,
  discardable: z.boolean().describe('False for work that moves money: it can only be retried'),
})
export type GivenUpJob = z.input<typeof givenUpJob>

export const systemReport = z.object({
  findings: z.array(finding).describe('The worst first. Empty if all is well'),
  version: z.string(),
  startedAt: instant.describe('When this server process started'),
  database: z.object({
    version: z.string(),
    bytes: z.number().int(),
    embedded: z.boolean(),
    migration: z.string().describe('The newest one'),
  }),
  photos: z.object({ kind: z.enum(['folder', 'bucket']), name: z.string(), reachable: z.boolean() }),
  mail: z.object({
    smtp: z.boolean().describe('False: each mail becomes a file'),
    error: z.string().nullable().describe('Why the mail server cannot be used'),
    waiting: z.number().int().describe('Jobs that are not done yet: mails, pushes and others'),
    lateSeconds: z.number(),
  }),
  backups: z.object({
    to: z.string().nullable().describe('Null: no schedule'),
    newestAt: instant.nullable().describe('As this server last saw it'),
    everyHours: z.number().int(),
  }),
  jobs: z.object({ total: z.number().int(), newest: z.array(givenUpJob) }),
})
export type SystemReport = z.input<typeof systemReport>
export type SystemReportAnswer = z.output<typeof systemReport>

export const testMail = z.object({
  to: email('email_invalid').optional().describe('Default: the address of the signed-in owner'),
})

export const systemRoutes = {
  system: route({
    method: 'GET',
    path: '/api/admin/system',
    summary: 'Whether the shop is all right: what to look at, and the state of each part',
    access: 'manage_system',
    limit: 'read',
    answers: { 200: systemReport },
  }),
  operatingGuide: route({
    method: 'GET',
    path: '/api/admin/system/guide',
    summary: 'The operating guide of this version, in Markdown',
    access: 'manage_system',
    limit: 'read',
    answers: {},
    file: 'text/plain',
  }),
  sendTestMail: route({
    method: 'POST',
    path: '/api/admin/system/test-mail',
    summary: 'Send a mail at once and report how it went',
    access: 'manage_system',
    limit: 'account',
    body: testMail,
    answers: {
      200: z.object({
        to: z.string(),
        smtp: z.boolean().describe('False: it was written to a file'),
        error: z.string().nullable().describe('Null if a mail server accepted it or the file was written'),
      }),
    },
  }),
  retryJob: route({
    method: 'POST',
    path: '/api/admin/system/jobs/retry',
    summary: 'Run a given-up job again, with all attempts',
    access: 'manage_system',
    limit: 'write',
    refuses: ['not_found'],
    body: z.object({ id }),
    answers: { 200: done },
  }),
  discardJob: route({
    method: 'POST',
    path: '/api/admin/system/jobs/discard',
    summary: 'Delete a given-up job. Refused for work that moves money',
    access: 'manage_system',
    limit: 'write',
    refuses: ['not_found'],
    body: z.object({ id }),
    answers: { 200: done },
  }),
}
