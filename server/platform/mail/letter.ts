/** Who a mail goes to. */
export interface Recipient {
  readonly email: string
  readonly firstName: string
  /** Whether the account's owner has proved that they read mail at this address. */
  readonly verified: boolean
}

/**
 * What people typed, for the letter to one recipient. Anybody can register anybody's address, so an address that nobody
 * has confirmed gets nothing that a stranger may have typed. What staff wrote needs none of this.
 */
export interface Words {
  readonly greeting: string
  /** The text, or `instead` when the address is not confirmed. */
  typed(text: string, instead: string): string
}

export function wordsFor({ firstName, verified }: Recipient): Words {
  return {
    greeting: verified ? `Hello ${firstName},` : 'Hello,',
    typed: (text, instead) => (verified ? text : instead),
  }
}

/** What a mail says. Everything in it is text; nothing is read as HTML. */
export type Letter = {
  subject: string
  heading: string
  /** A line break within a paragraph stays one. */
  paragraphs: readonly string[]
  /** A small table, such as Card, You receive, Status. */
  facts?: readonly { label: string; value: string }[]
  /** One link, absolute. */
  button?: { label: string; url: string }
}

export type RenderedLetter = {
  subject: string
  text: string
  html: string
}

/**
 * The letter as plain text and as HTML. Throws when the button's address is not an absolute web address.
 * @param contact how to reach a person, one or two sentences
 */
export function renderLetter(letter: Letter, productName: string, contact: string): RenderedLetter {
  if (letter.button && !/^https?:\/\/[^\s]+$/.test(letter.button.url)) {
    throw new Error('The button of a letter needs an absolute web address')
  }
  return {
    subject: letter.subject,
    text: toText(letter, productName, contact),
    html: toHtml(letter, productName, contact),
  }
}

function toText(
  { heading, paragraphs, facts = [], button }: Letter,
  productName: string,
  contact: string,
): string {
  const parts = [heading, ...paragraphs]
  if (facts.length > 0) parts.push(facts.map(({ label, value }) => `${label}: ${value}`).join('\n'))
  if (button) parts.push(`${button.label}: ${button.url}`)
  return `${[...parts, `-- \n${productName}\n${contact}`].map(cleaned).join('\n\n')}\n`
}

// Colours are given twice: inline for the many clients that drop style sheets, and in a style sheet for those
// that know dark mode. Tables, because Outlook lays out nothing else.
function toHtml(
  { subject, heading, paragraphs, facts = [], button }: Letter,
  productName: string,
  contact: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .sheet { background: #22252c !important; border-color: #3a3f4a !important; }
  .ink { color: #f1f3f7 !important; }
  .quiet { color: #aab1bf !important; }
  .line { border-color: #3a3f4a !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6">
<tr><td align="center" style="padding:32px 16px;font-family:system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 8px 16px;color:#111827;font-size:18px;font-weight:700">${escaped(productName)}</td></tr>
<tr><td class="sheet" style="padding:32px;background:#ffffff;border:1px solid #e5e7eb;border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;color:#111827;font-size:22px;line-height:1.3">${escaped(heading)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts.length > 0 ? factsTable(facts) : ''}
${button ? buttonLink(button) : ''}
</td></tr>
<tr><td class="quiet" style="padding:16px 8px 0;color:#6b7280;font-size:13px">This mail was sent by ${escaped(productName)}. ${escaped(contact)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function paragraph(text: string): string {
  return `<p class="ink" style="margin:0 0 14px;color:#374151;font-size:16px;line-height:1.55">${escaped(text).replaceAll('\n', '<br>')}</p>`
}

function factsTable(facts: NonNullable<Letter['facts']>): string {
  const rows = facts.map(
    ({ label, value }) => `<tr>
<td class="quiet line" style="padding:10px 12px 10px 0;border-bottom:1px solid #e5e7eb;color:#6b7280;font-size:15px">${escaped(label)}</td>
<td class="ink line" align="right" style="padding:10px 0;border-bottom:1px solid #e5e7eb;color:#111827;font-size:15px;font-weight:600">${escaped(value)}</td>
</tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 22px">
${rows.join('\n')}
</table>`
}

function buttonLink({ label, url }: NonNullable<Letter['button']>): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="border-radius:8px;background:#047857">
<a href="${escaped(url)}" style="display:inline-block;padding:12px 22px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escaped(label)}</a>
</td></tr></table>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return cleaned(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

// Control characters have no place in a mail; of line ends only one kind is kept.
function cleaned(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, '')
}
