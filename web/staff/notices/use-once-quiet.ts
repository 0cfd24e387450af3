import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Whether the screen has had what it asked for first; from then on true. */
export function useOnceQuiet(): boolean {
  const client = useQueryClient()
  const [quiet, setQuiet] = useState(false)
  // The screens are below: what they ask for is on its way by the time this runs.
  useEffect(() => {
    if (quiet) return
    const look = () => client.isFetching() === 0 && setQuiet(true)
    look()
    return client.getQueryCache().subscribe(look)
  }, [client, quiet])
  return quiet
}
