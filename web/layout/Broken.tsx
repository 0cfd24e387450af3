import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '../ui/Button.tsx'

/** What stands in place of a screen that failed to load or to render. */
export function Broken() {
  const error = useRouteError()
  useEffect(() => {
    // The browser's own error reporting gets to know, as if nobody had caught it.
    reportError(error)
  }, [error])
  return (
    <div className="measure grid min-h-[60dvh] content-center justify-items-center gap-4 text-center">
      <h1 className="text-3xl">This page did not load</h1>
      <p className="max-w-md text-lg text-soft">
        The connection may have been interrupted, or a new version was just published. Loading it again
        usually helps.
      </p>
      <Button onClick={() => location.reload()}>Load again</Button>
    </div>
  )
}
