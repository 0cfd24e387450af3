import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#web/kit/Button.tsx'

const COPIED_SHOWN_MS = 1500

/** No button on insecure pages, where browsers have no clipboard. */
export function CopyButton({ name, value }: { name: string; value: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  if (!navigator.clipboard) return null
  const Icon = copied ? Check : Copy
  return (
    <>
      <IconButton
        label={`Copy ${name}`}
        className="-my-3 size-11 self-center lg:size-9"
        onClick={() =>
          navigator.clipboard.writeText(value).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
      >
        <Icon className={copied ? 'size-4 text-positive' : 'size-4'} />
      </IconButton>
      <span role="status" className="sr-only">
        {copied && `${name} copied`}
      </span>
    </>
  )
}
