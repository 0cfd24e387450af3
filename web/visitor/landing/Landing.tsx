import { useRef } from 'react'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { landing } from '#web/words/landing.ts'
import { BrandGrid } from './BrandGrid.tsx'
import { Claims } from './Claims.tsx'
import { Closing } from './Closing.tsx'
import { Hero } from './Hero.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import { Payouts } from './Payouts.tsx'
import { Trust } from './Trust.tsx'

export default function Landing() {
  const steps = useRef<HTMLElement>(null)

  return (
    <div className="measure grid grid-cols-1 gap-20 py-10 md:gap-24 md:py-20">
      <PageTitle>{landing.title}</PageTitle>
      <Hero onHowItWorks={() => showInView(steps.current)} />
      <Claims />
      <BrandGrid />
      <HowItWorks ref={steps} />
      <Trust />
      <Payouts />
      <Closing />
    </div>
  )
}
