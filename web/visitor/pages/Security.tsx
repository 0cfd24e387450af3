import { securityCopy } from '#web/words/security.ts'
import { LongPage } from './LongPage.tsx'

export default function Security() {
  return <LongPage text={securityCopy} />
}
