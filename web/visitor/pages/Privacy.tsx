import { privacyCopy } from '#web/words/privacy.ts'
import { LongPage } from './LongPage.tsx'

export default function Privacy() {
  return <LongPage text={privacyCopy} />
}
