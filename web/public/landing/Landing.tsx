import { useRef } from 'react'
import { landing } from '../../copy/landing.ts'
import { PageTitle } from '../../layout/PageTitle.tsx'
import { BrandGrid } from './BrandGrid.tsx'
import { Claims } from './Claims.tsx'
import { Closing } from './Closing.tsx'
import { Hero } from './Hero.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import { Payouts } from './Payouts.tsx'

export default function Landing() {
  const steps = useRef<HTMLElement>(null)

  function showSteps() {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    steps.current?.scrollIntoView({ behavior: still ? 'auto' : 'smooth' })
  }

  return (
    <div className="measure grid grid-cols-1 gap-20 py-10 md:gap-28 md:py-20">
      <PageTitle>{landing.title}</PageTitle>
      <Hero onHowItWorks={showSteps} />
      <Claims />
      <BrandGrid />
      <HowItWorks ref={steps} />
      <Payouts />
      <Closing />
    </div>
  )
}
