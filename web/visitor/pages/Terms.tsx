import { termsCopy } from '#web/words/terms.ts'
import { LongPage } from './LongPage.tsx'

export default function Terms() {
  return <LongPage text={termsCopy} />
}
