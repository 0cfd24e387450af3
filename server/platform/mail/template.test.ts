import { describe, expect, it } from 'vitest'
import { type EmailContent, renderEmail } from './template.ts'

const content: EmailContent = {
  subject: 'Amazon gift card: Approved',
  heading: 'Your card was approved',
  paragraphs: ['Hello Ann,', 'We are making your payment now.\nIt takes 1–3 hours.'],
  facts: [
    { label: 'Card', value: 'Amazon, $100.00' },
    { label: 'You receive', value: '$93.00' },
  ],
  button: { label: 'See your submission', url: 'https://cards.example/processing?a=1&b=2' },
}

describe('an email', () => {
  it('renders as text', () => {
    expect(renderEmail(content, 'Unspent', 'Replies to it are not read.').text).toBe(`Your card was approved

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
    const { html, subject } = renderEmail(content, 'Unspent', 'Replies to it are not read.')
    expect(subject).toBe(content.subject)
    for (const said of ['Your card was approved', 'now.<br>It takes', 'You receive', '$93.00', '>Unspent<']) {
      expect(html).toContain(said)
    }
    expect(html).toContain('href="https://cards.example/processing?a=1&amp;b=2"')
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toContain('prefers-color-scheme: dark')
  })

  it('may lack facts and a button', () => {
    const { html, text } = renderEmail(
      { subject: 'S', heading: 'H', paragraphs: ['P'] },
      'Unspent',
      'Replies to it are not read.',
    )
    expect(html).not.toContain('<a ')
    expect(text).toBe('H\n\nP\n\n-- \nUnspent\nReplies to it are not read.\n')
  })

  it('escapes HTML in every field', () => {
    const bad = `<script>alert("x")</script>&amp;'\0\x1b`
    const { html } = renderEmail(
      {
        subject: bad,
        heading: bad,
        paragraphs: [bad],
        facts: [{ label: bad, value: bad }],
        button: { label: bad, url: `https://a.example/"onclick="alert(1)'><script>` },
      },
      bad,
      bad,
    )
    for (const raw of ['<script', '"onclick', "'><", '\0', '\x1b']) expect(html).not.toContain(raw)
    expect(html.match(/&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt;&amp;amp;&#39;/g)).toHaveLength(9)
  })

  it.each(['javascript:alert(1)', '/processing', '', 'https://a b', 'data:text/html,x'])(
    'refuses to link to %j',
    (url) => {
      expect(() =>
        renderEmail({ ...content, button: { label: 'Go', url } }, 'Unspent', 'Replies to it are not read.'),
      ).toThrow()
    },
  )
})
