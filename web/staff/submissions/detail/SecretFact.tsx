import { CopyButton } from './CopyButton.tsx'
import { Fact } from './Facts.tsx'

interface SecretFactProps {
  name: string
  /** null when the seller gave none, or when it is erased. */
  masked: string | null
  erased: boolean
  /** The whole value while it is revealed. */
  whole: string | null | undefined
  long?: boolean
}

export function SecretFact({ name, masked, erased, whole, long = false }: SecretFactProps) {
  if (masked === null) return <Fact name={name}>{erased ? 'Erased' : 'None'}</Fact>
  return (
    <Fact name={name} code long={long} action={whole && <CopyButton name={name} value={whole} />}>
      {whole ? <strong className="font-semibold text-accent">{whole}</strong> : masked}
    </Fact>
  )
}
