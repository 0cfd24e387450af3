import { Component, type ReactNode, useEffect } from 'react'
import { useWords } from '#web/words/words.ts'
import { Button } from './Button.tsx'
import { Failed } from './Failed.tsx'
import { useLocation } from './router/index.ts'

interface ErrorBoundaryProps {
  children: ReactNode
  /** Wraps the message, to keep a header above it. */
  frame?: (message: ReactNode) => ReactNode
  /** Use `h2` if a header above the message has the `h1`. */
  heading?: 'h1' | 'h2'
  /** What the message says, if the reader should know more about this screen. */
  text?: string | undefined
}

/** Shows a message instead of its children if they fail to load or render. */
export function ErrorBoundary({
  children,
  frame = (message) => message,
  heading = 'h1',
  text,
}: ErrorBoundaryProps) {
  const { pathname } = useLocation()
  return (
    <Boundary pathname={pathname} frame={frame} heading={heading} text={text}>
      {children}
    </Boundary>
  )
}

interface State {
  failed: boolean
  pathname: string
}

/** A class, because React has no hook for this. */
class Boundary extends Component<
  Required<Omit<ErrorBoundaryProps, 'text'>> & Pick<ErrorBoundaryProps, 'text'> & { pathname: string },
  State
> {
  override state: State = { failed: false, pathname: this.props.pathname }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }

  /** Tries again on another screen. */
  static getDerivedStateFromProps({ pathname }: { pathname: string }, state: State): State | null {
    return pathname === state.pathname ? null : { failed: false, pathname }
  }

  override render(): ReactNode {
    const { children, frame, heading, text } = this.props
    return this.state.failed ? frame(<NotLoaded heading={heading} text={text} />) : children
  }
}

function NotLoaded({ heading, text }: { heading: 'h1' | 'h2'; text: string | undefined }) {
  const t = useWords()
  // The screen is not there to tell app/early/page.js to let the button be pressed.
  useEffect(() => {
    dispatchEvent(new Event('unspent:ready'))
  }, [])
  return (
    <div className="grid min-h-[60dvh] content-center">
      <Failed as={heading} heading={t('site.notLoaded.heading')} text={text ?? t('site.notLoaded.text')}>
        <Button onClick={() => location.reload()}>{t('site.notLoaded.again')}</Button>
      </Failed>
    </div>
  )
}
