import { paths } from '#web/words/paths.ts'
import type { Key } from '#words/keys.ts'

/** A subject and the screen that explains it. */
interface Topic {
  readonly title: Key
  readonly text: Key
  readonly to: string
}

interface TopicGroup {
  readonly title: Key
  readonly topics: readonly Topic[]
}

const topic = <Id extends string>(id: Id, to: string) =>
  ({ title: `help.topic.${id}.title`, text: `help.topic.${id}.text`, to }) as const

export const topicGroups: readonly TopicGroup[] = [
  {
    title: 'help.group.selling',
    topics: [
      topic('quote', paths.getQuote),
      topic('brands', `${paths.faq}#brands`),
      topic('partialBalance', `${paths.faq}#partial-balance`),
      topic('photos', `${paths.terms}#photos`),
    ],
  },
  {
    title: 'help.group.review',
    topics: [
      topic('processing', paths.processing),
      topic('reviewTime', `${paths.faq}#verification-time`),
      topic('payoutTime', `${paths.faq}#payout-time`),
      topic('transactions', paths.transactions),
      topic('rejected', `${paths.terms}#rejected`),
    ],
  },
  {
    title: 'help.group.account',
    topics: [
      topic('profile', paths.profile),
      topic('confirmEmail', paths.profile),
      topic('forgottenPassword', paths.forgotPassword),
      topic('register', paths.register),
    ],
  },
  {
    title: 'help.group.safety',
    topics: [
      topic('security', paths.security),
      topic('report', `${paths.security}#report`),
      topic('privacy', paths.privacy),
    ],
  },
]
