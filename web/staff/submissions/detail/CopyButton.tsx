import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#web/kit/Button.tsx'

const SHOWN_FOR = 1500

/** Puts a value on the clipboard. Browsers have one on secure pages only; elsewhere there is no button. */
export function CopyButton({ name, value }: { name: string; value: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [copied])
  if (!navigator.clipboard) return null
  const Icon = copied ? Check : Copy
  return (
    <>
      <IconButton
        label={`Copy ${name}`}
        className="-my-2 size-9 self-center"
        onClick={() =>
          navigator.clipboard.writeText(value).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
      >
        <Icon aria-hidden="true" className={copied ? 'size-4 text-positive' : 'size-4'} />
      </IconButton>
      <span role="status" className="sr-only">
        {copied && `${name} copied`}
      </span>
    </>
  )
}
