import { paths } from '#web/words/paths.ts'
import { LongPage, type Section } from './LongPage.tsx'

const section = <Id extends string>(id: Id) =>
  ({ id, title: `security.${id}.title`, text: `security.${id}.text` }) as const
const withPoints = <Id extends string>(id: Id) =>
  ({ ...section(id), points: `security.${id}.points` }) as const

/** How we protect cards and people. The texts say only what the software does. */
const sections: readonly Section[] = [
  section('card-numbers'),
  section('staff'),
  section('photos'),
  {
    ...withPoints('account'),
    links: [{ label: 'security.account.linkSecurity', to: paths.accountSecurity }],
  },
  section('site'),
  withPoints('trust-and-safety'),
  withPoints('protect-yourself'),
  {
    ...withPoints('report'),
    links: [
      { label: 'security.report.linkContact', to: paths.contact },
      { label: 'security.report.linkForgotPassword', to: paths.forgotPassword },
    ],
  },
]

export default function Security() {
  return <LongPage title="security.title" intro="security.intro" updated="2026-11" sections={sections} />
}
