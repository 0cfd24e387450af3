import { paths } from '#web/words/paths.ts'
import { LongPage, type Section } from './LongPage.tsx'

const section = <Id extends string>(id: Id) =>
  ({ id, title: `privacy.${id}.title`, text: `privacy.${id}.text` }) as const
const withPoints = <Id extends string>(id: Id) =>
  ({ ...section(id), points: `privacy.${id}.points` }) as const

/**
 * Change these texts together with what the software stores. Operators who set ERASE_AFTER_DAYS also replace the texts
 * that name the 90 days.
 */
const sections: readonly Section[] = [
  withPoints('short'),
  withPoints('collected'),
  withPoints('use'),
  section('photos'),
  section('who'),
  withPoints('browser'),
  withPoints('how-long'),
  {
    ...withPoints('rights'),
    links: [
      { label: 'privacy.rights.linkProfile', to: paths.profile },
      { label: 'privacy.rights.linkData', to: paths.accountData },
      { label: 'privacy.rights.linkContact', to: paths.contact },
    ],
  },
  section('changes'),
]

export default function Privacy() {
  return <LongPage title="privacy.title" intro="privacy.intro" updated="2026-11" sections={sections} />
}
