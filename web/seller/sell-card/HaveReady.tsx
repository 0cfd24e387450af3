import { Camera, CreditCard, Landmark } from 'lucide-react'
import type { Brand } from '#domain/brands.ts'
import { expirationRequired, photosRequired } from '#domain/card.ts'

/** What the next step asks for, so that nobody has to look for the card halfway. */
export function HaveReady({ brand }: { brand: Brand }) {
  const bothSides = photosRequired(brand.value, 'physical') === 2
  const items = [
    {
      icon: CreditCard,
      title: expirationRequired(brand.value) ? 'Card number and expiration date' : 'Card number',
      text: 'With its PIN or redemption code, if it has one.',
    },
    {
      icon: Camera,
      title: bothSides ? 'Photos of front and back' : 'A photo of your card',
      text: bothSides
        ? 'Of a digital card, one picture is enough.'
        : 'Sharp, in good light, all four corners in sight.',
    },
    { icon: Landmark, title: 'Your payout account', text: 'PayPal, Venmo, Zelle, a bank account and more.' },
  ]
  return (
    <section aria-labelledby="have-ready" className="grid gap-5 lg:pt-7">
      <h2 id="have-ready" className="text-xl">
        Have these ready
      </h2>
      <ul className="grid gap-5">
        {items.map(({ icon: Icon, title, text }) => (
          <li key={title} className="grid grid-cols-[1.5rem_1fr] gap-4">
            <Icon aria-hidden="true" className="mt-0.5 size-6 text-accent" />
            <div>
              <p className="font-medium">{title}</p>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
