import { Component, type ReactNode, useEffect } from 'react'
import { Button } from './Button.tsx'
import { useLocation } from './router/index.ts'

interface GuardedProps {
  children: ReactNode
  /** What stays around the message, such as a header. */
  frame?: (message: ReactNode) => ReactNode
  /** Of the message: `h2` where a header above it stays and has the `h1`. */
  heading?: 'h1' | 'h2'
}

/** Shows its children, and in their place what to do when they fail to load or to render. */
export function Guarded({ children, frame = (message) => message, heading = 'h1' }: GuardedProps) {
  const { pathname } = useLocation()
  return (
    <Boundary place={pathname} frame={frame} heading={heading}>
      {children}
    </Boundary>
  )
}

interface State {
  broken: boolean
  place: string
}

/** React knows error boundaries as classes only. */
class Boundary extends Component<Required<GuardedProps> & { place: string }, State> {
  override state: State = { broken: false, place: this.props.place }

  static getDerivedStateFromError(): Partial<State> {
    return { broken: true }
  }

  /** Another screen is another chance. */
  static getDerivedStateFromProps({ place }: { place: string }, state: State): State | null {
    return place === state.place ? null : { broken: false, place }
  }

  override render(): ReactNode {
    const { children, frame, heading } = this.props
    return this.state.broken ? frame(<Broken heading={heading} />) : children
  }
}

function Broken({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  // Without the screen nothing else would tell early/page.js to let go of the button.
  useEffect(() => {
    dispatchEvent(new Event('unspent:ready'))
  }, [])
  return (
    <div className="measure grid min-h-[60dvh] content-center justify-items-center gap-4 text-center">
      <Heading className="text-3xl">This page did not load</Heading>
      <p className="max-w-md text-lg text-soft">
        The connection may have been interrupted, or a new version was just published. Loading it again
        usually helps.
      </p>
      <Button onClick={() => location.reload()}>Load again</Button>
    </div>
  )
}
