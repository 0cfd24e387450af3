import { describe, expect, it } from 'vitest'
import { readBrand } from '#brand/brand.ts'
import { readWords } from '#words/catalogs.ts'
import { type EmailContent, renderEmail, type Sender } from './template.ts'

const content: EmailContent = {
  subject: 'Amazon gift card: Approved',
  heading: 'Your card was approved',
  greeting: 'Hello Ann,',
  paragraphs: ['We are making your payment now.\nIt takes 1–3 hours.'],
  facts: [
    { label: 'Card', value: 'Amazon, $100.00' },
    { label: 'You receive', value: '$93.00' },
  ],
  button: { label: 'See your submission', url: 'https://cards.example/processing?a=1&b=2' },
}

const shop: Sender = {
  productName: 'Unspent',
  publicUrl: 'https://cards.example',
  themes: readBrand().themes,
}

const footer = { about: 'Replies to it are not read.', links: [] }

const { en, es } = readWords({ product: 'Unspent' })

describe('an email', () => {
  it('renders as text', () => {
    expect(renderEmail(en, content, shop, footer).text).toBe(`Your card was approved

Hello Ann,

We are making your payment now.
It takes 1–3 hours.

Card: Amazon, $100.00
You receive: $93.00

See your submission: https://cards.example/processing?a=1&b=2

-- 
Unspent
Replies to it are not read.
`)
  })

  it('renders the same as HTML', () => {
    const { html, subject } = renderEmail(en, content, shop, footer)
    expect(subject).toBe(content.subject)
    for (const said of ['Your card was approved', 'now.<br>It takes', 'You receive', '$93.00', '>Unspent<']) {
      expect(html).toContain(said)
    }
    expect(html).toContain('href="https://cards.example/processing?a=1&amp;b=2"')
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toContain('prefers-color-scheme: dark')
  })

  it('shows the first paragraph after the subject in lists of mails, without the greeting', () => {
    const { html } = renderEmail(en, content, shop, footer)
    const [, preheader = ''] = /<body[^>]*>\s*<div style="display:none[^>]*>([^&]*)/.exec(html) ?? []
    expect(preheader).toBe('We are making your payment now.\nIt takes 1–3 hours.')
  })

  it('shows what a person wrote after the words that announce it', () => {
    const paragraphs = ['What we need:', { said: 'Which shop?' }, 'Please answer.']
    const { html } = renderEmail(en, { ...content, paragraphs }, shop, footer)
    expect(html).toContain('>What we need: Which shop?&#847;')
  })

  it('sets apart what a person wrote', () => {
    const paragraphs = [{ said: 'Which shop?' }, 'Please answer.']
    const { html, text } = renderEmail(en, { ...content, paragraphs }, shop, footer)
    expect(html).toMatch(
      /border-left:3px[^>]*>Which shop\?<\/p>\n<p(?![^>]*border-left)[^>]*>Please answer\.</,
    )
    expect(text).toContain('\n\nWhich shop?\n\nPlease answer.\n\n')
  })

  it('has a second link below the button', () => {
    const otherLink = { label: 'Appeal', url: 'https://cards.example/card?id=1' }
    const { html, text } = renderEmail(en, { ...content, otherLink }, shop, footer)
    expect(text).toContain('?a=1&b=2\n\nAppeal: https://cards.example/card?id=1\n')
    expect(html.indexOf('>Appeal<')).toBeGreaterThan(html.indexOf('>See your submission<'))
  })

  it('has the links of the footer below it', () => {
    const links = [{ label: 'Stop', url: 'https://cards.example/unsubscribe?token=a&b' }]
    const { html, text } = renderEmail(en, content, shop, { ...footer, links })
    expect(html).toContain('href="https://cards.example/unsubscribe?token=a&amp;b"')
    expect(text).toMatch(/\n-- \nUnspent\n.*\nStop: https:\/\/cards\.example\/unsubscribe\?token=a&b\n$/)
  })

  it('says its language', () => {
    expect(renderEmail(en, content, shop, footer).html).toContain('<html lang="en">')
    const { html } = renderEmail(es, content, shop, { about: 'Escríbanos.', links: [] })
    expect(html).toContain('<html lang="es">')
    expect(html).toContain('>Escríbanos.<')
  })

  it('has the colors of the brand and the address of the company', () => {
    const sender = {
      ...shop,
      productName: 'Tarjeta Swap',
      company: { name: 'Swap LLC', address: '1 Main St, Miami, FL 33101' },
      themes: {
        light: { accent: '#7a1f5c', 'on-accent': '#fff' },
        dark: { accent: '#f5b', 'on-accent': '#000' },
      },
    }
    const { html, text } = renderEmail(en, content, sender, footer)
    expect(html).toMatch(/color:#7a1f5c[^>]*><span[^>]*icon-192[^>]*>&nbsp;<\/span>Tarjeta Swap</)
    expect(html).toContain('background:#7a1f5c')
    expect(html).toContain('background: #ff55bb !important')
    expect(html).toContain('Replies to it are not read.<br>Swap LLC, 1 Main St, Miami, FL 33101<')
    expect(text).toContain(
      'Tarjeta Swap\nReplies to it are not read.\nSwap LLC, 1 Main St, Miami, FL 33101\n',
    )
  })

  it('shows the amount it is about on a card, in gold up to its share of the value', () => {
    const [card, amount] = content.facts!
    const facts = [
      { ...card!, isCard: true },
      { ...amount!, share: 92.6 },
    ]
    const { html, text } = renderEmail(en, { ...content, facts }, shop, footer)
    expect(html).toMatch(
      /<td class="gold" width="93%"[^>]*>\s*<span[^>]*>You receive<\/span><br>\s*<span[^>]*>\$93\.00</,
    )
    expect(html.match(/You receive/g)).toHaveLength(1)
    expect(html.match(/Amazon, \$100\.00/g)).toHaveLength(1)
    expect(text).toContain('Card: Amazon, $100.00\nYou receive: $93.00\n')
  })

  it('shows an amount that is not approved yet in gray', () => {
    const facts = [{ label: 'Your quote', value: '$93.00', share: 93, inReview: true }]
    const { html } = renderEmail(en, { ...content, facts }, shop, footer)
    expect(html).toMatch(/<td class="gray" width="93%"[^>]*>\s*<span[^>]*>Your quote</)
    expect(html).not.toContain('class="gold"')
  })

  it('shows the reference of a card on a line of its own, and breaks no masked number', () => {
    const facts = [{ label: 'Amazon •••• 5678, $100.00', detail: '2B91-CCF8', value: '$93.00' }]
    const { html, text } = renderEmail(en, { ...content, facts }, shop, footer)
    expect(text).toContain('\nAmazon •••• 5678, $100.00 (2B91-CCF8): $93.00\n')
    expect(html).toMatch(
      />Amazon ••••\u00a05678,<\/span> <span[^>]*>\$100\.00<\/span><br><span[^>]*>2B91-CCF8</,
    )
  })

  it('says below a text of staff what it is', () => {
    const paragraphs = [{ said: 'Which shop?', note: 'Escrito por nuestro equipo' }]
    const { html, text } = renderEmail(es, { ...content, paragraphs }, shop, footer)
    expect(html).toMatch(/>Which shop\?<br><span class="soft"[^>]*>Escrito por nuestro equipo<\/span><\/p>/)
    expect(text).toContain('\n\nWhich shop?\nEscrito por nuestro equipo\n\n')
  })

  it('may lack facts and a button', () => {
    const { html, text } = renderEmail(en, { subject: 'S', heading: 'H', paragraphs: ['P'] }, shop, footer)
    expect(html).not.toContain('<a ')
    expect(text).toBe('H\n\nP\n\n-- \nUnspent\nReplies to it are not read.\n')
  })

  it('escapes HTML in every field', () => {
    const bad = `<script>alert("x")</script>&amp;'\0\x1b`
    const { html } = renderEmail(
      readWords({ product: bad }).en,
      {
        subject: bad,
        heading: bad,
        paragraphs: [bad],
        facts: [
          { label: bad, value: bad, isCard: true },
          { label: bad, value: bad, share: 93 },
        ],
        button: { label: bad, url: `https://a.example/"onclick="alert(1)'><script>` },
      },
      { ...shop, productName: bad, company: { name: bad, address: bad } },
      { about: bad, links: [{ label: bad, url: `https://a.example/"onclick="alert(1)'><script>` }] },
    )
    for (const raw of ['<script', '"onclick', "'><", '\0', '\x1b']) expect(html).not.toContain(raw)
    expect(html.match(/&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt;&amp;amp;&#39;/g)).toHaveLength(13)
  })

  it.each(['javascript:alert(1)', '/processing', '', 'https://a b', 'data:text/html,x'])(
    'refuses to link to %j',
    (url) => {
      const link = { label: 'Go', url }
      expect(() => renderEmail(en, { ...content, button: link }, shop, footer)).toThrow()
      expect(() => renderEmail(en, content, shop, { ...footer, links: [link] })).toThrow()
    },
  )
})
