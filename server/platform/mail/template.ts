import { parseColor, toHex } from '#brand/contrast.ts'
import type { Themes, Tokens } from '#brand/tokens.ts'
import type { Translate } from '#words/translate.ts'

/** Plain text; HTML in it is escaped. */
export interface EmailContent {
  readonly subject: string
  readonly heading: string
  readonly greeting?: string
  /** Line breaks within a paragraph are kept. Lists of mails show the start of the first one after the subject. */
  readonly paragraphs: readonly Paragraph[]
  /** A small table, such as Card, You receive, Status. */
  readonly facts?: readonly Fact[]
  readonly button?: Link
  /** What else the recipient can do. A quieter button. */
  readonly otherLink?: Link
}

/** Our text, or what staff wrote to the recipient. */
type Paragraph = string | Said

export interface Said {
  readonly said: string
  /** Ours, below it. */
  readonly note?: string | undefined
}

export interface Fact {
  readonly label: string
  readonly value: string
  /** Shown below the label, such as the reference of a card in a list. */
  readonly detail?: string
  /** The percentage of the card's value. Set for the amount that the email is about, which is shown as a card with a gold block. */
  readonly share?: number
  /** Set if that amount is not approved yet. Its block is gray. */
  readonly inReview?: boolean
  /** Set for the gift card that the email is about. It is named at the top of that card. */
  readonly isCard?: boolean
}

export interface Link {
  readonly label: string
  readonly url: string
}

/** The shop that sends the email. */
export interface Sender {
  readonly productName: string
  /** The logo is loaded from there. */
  readonly publicUrl: string
  readonly company?: { readonly name: string; readonly address: string } | undefined
  readonly themes: Themes
}

/** The footer of an email. */
export interface Footer {
  /** Why the recipient gets it, and whether replies are read. */
  readonly about: string
  readonly links: readonly Link[]
}

/** Renders an email as plain text and as HTML. Throws if a link is not an absolute web address. */
export function renderEmail(
  t: Translate,
  content: EmailContent,
  sender: Sender,
  footer: Footer,
): { subject: string; text: string; html: string } {
  for (const { url } of [content.button, content.otherLink, ...footer.links].filter(
    (link) => link !== undefined,
  )) {
    if (!/^https?:\/\/[^\s]+$/.test(url)) throw new Error('A link of an email needs an absolute web address')
  }
  return {
    subject: content.subject,
    text: toText(content, sender, footer),
    html: toHtml(t, content, sender, footer),
  }
}

function toText(
  { heading, greeting, paragraphs, facts = [], button, otherLink }: EmailContent,
  { productName, company }: Sender,
  { about, links }: Footer,
): string {
  const parts = [heading, ...(greeting ? [greeting] : []), ...paragraphs.map(textOf)]
  if (facts.length > 0)
    parts.push(
      facts.map(({ label, detail, value }) => `${label}${detail ? ` (${detail})` : ''}: ${value}`).join('\n'),
    )
  if (button) parts.push(linkLine(button))
  if (otherLink) parts.push(linkLine(otherLink))
  const lines = [productName, about, ...links.map(linkLine), ...(company ? [addressOf(company)] : [])]
  return `${[...parts, ['-- ', ...lines].join('\n')].map(clean).join('\n\n')}\n`
}

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return [paragraph.said, paragraph.note].filter(Boolean).join('\n')
}

const linkLine = ({ label, url }: Link): string => `${label}: ${url}`

// Many clients drop style sheets, so colors are inline; the style sheet adds dark mode. Outlook supports only table layout.
function toHtml(
  t: Translate,
  { subject, heading, greeting, paragraphs, facts = [], button, otherLink }: EmailContent,
  { productName, publicUrl, company, themes }: Sender,
  { about, links }: Footer,
): string {
  const light = hexOf(themes.light)
  const amount = facts.find(({ share }) => share !== undefined)
  const card = amount && facts.find(({ isCard }) => isCard)
  const rest = facts.filter((fact) => fact !== amount && fact !== card)
  // A table each, so that long rows do not narrow the columns of the others.
  const [listed, others] = [rest.filter(({ detail }) => detail), rest.filter(({ detail }) => !detail)]
  return `<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {${darkRules(hexOf(themes.dark))}}
h1, .soft { text-wrap: balance; }
p { text-wrap: pretty; }
td.line { text-wrap: balance; }
@media (max-width: 480px) {
  .edge { padding: 16px 8px !important; }
  .sheet { padding: 24px 20px !important; }
  .wide { width: 100% !important; }
  a.button, a.second { display: block !important; text-align: center; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
${preheader(paragraphs)}
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${light.page}">
<tr><td class="edge" align="center" style="padding:32px 16px;font-family:system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="name" style="padding:0 8px 16px;color:${light.accent};font-size:18px;font-weight:700;letter-spacing:-0.01em">${logo(publicUrl, light)}${escapeHtml(productName)}</td></tr>
<tr><td class="sheet" style="padding:32px;background:${light.surface};border:1px solid ${light.line};border-radius:16px">
<h1 class="ink" style="margin:0 0 16px;color:${light.ink};font-size:26px;line-height:1.2;letter-spacing:-0.02em">${escapeHtml(heading)}</h1>
${amount ? amountCard(amount, card?.value, light) : ''}
${[...(greeting ? [greeting] : []), ...paragraphs].map((text) => paragraph(text, light)).join('\n')}
${factsTable(listed, light)}
${factsTable(others, light)}
${button ? buttonLink(button, light) : ''}
${otherLink ? secondButton(otherLink, light) : ''}
</td></tr>
<tr><td class="soft" style="padding:16px 8px 0;color:${light.soft};font-size:13px;line-height:1.5">${footerLines(about, links, company, light).join('<br>')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** A background: if the recipient's program loads no images, a plain square remains instead of a broken image. */
function logo(publicUrl: string, { accent }: Colors): string {
  const image = `background-image:url('${escapeHtml(publicUrl)}/icon-192.png');background-size:28px 28px`
  return `<span style="display:inline-block;width:28px;height:28px;margin-right:10px;border-radius:7px;background-color:${accent};${image};vertical-align:middle">&nbsp;</span>`
}

function darkRules(dark: Colors): string {
  return `
  .page { background: ${dark.page} !important; }
  .sheet { background: ${dark.surface} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .soft { color: ${dark.soft} !important; }
  .line { border-color: ${dark.line} !important; }
  .name { color: ${dark.accent} !important; }
  .card { background: ${dark.surface} !important; border-color: ${dark.ink} !important; }
  .gray { background: ${dark.sunken} !important; color: ${dark.soft} !important; }
  .gold { background: ${dark.gold} !important; color: ${dark['on-gold']} !important; }
  .second { color: ${dark.accent} !important; border-color: ${dark.accent} !important; }
  .button { background: ${dark.accent} !important; color: ${dark['on-accent']} !important; }
`
}

/**
 * What lists of mails show after the subject. The invisible characters keep them from showing more of the email.
 * Not shown in the email itself.
 */
function preheader([first = '', second = '']: readonly Paragraph[]): string {
  const text = textOf(first).endsWith(':') ? `${textOf(first)} ${textOf(second)}` : textOf(first)
  const filler = '&#847;&zwnj;&nbsp;'.repeat(80)
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(text)}${filler}</div>`
}

function footerLines(
  about: string,
  links: readonly Link[],
  company: Sender['company'],
  { soft }: Colors,
): string[] {
  return [
    escapeHtml(about).replaceAll('\n', '<br>'),
    ...links.map(
      ({ label, url }) =>
        `<a class="soft" href="${escapeHtml(url)}" style="display:inline-block;padding:4px 0;color:${soft}">${escapeHtml(label)}</a>`,
    ),
    ...(company ? [escapeHtml(addressOf(company))] : []),
  ]
}

function addressOf({ name, address }: NonNullable<Sender['company']>): string {
  return `${name}, ${address}`
}

const used = [
  'page',
  'surface',
  'sunken',
  'line',
  'ink',
  'soft',
  'accent',
  'on-accent',
  'gold',
  'on-gold',
] as const
type Colors = Readonly<Record<(typeof used)[number], string>>

/** A theme's colors as email programs know them. */
function hexOf(theme: Tokens): Colors {
  const hex = used.map((name) => {
    const color = parseColor(theme[name] ?? '')
    return [name, color ? toHex(color) : '']
  })
  return Object.fromEntries(hex)
}

function paragraph(content: Paragraph, { ink, line, soft }: Colors): string {
  const bar = typeof content === 'string' ? '' : `padding:2px 0 2px 14px;border-left:3px solid ${line};`
  const [text, note] = typeof content === 'string' ? [content] : [content.said, content.note]
  const below = note
    ? `<br><span class="soft" style="color:${soft};font-size:14px">${escapeHtml(note)}</span>`
    : ''
  return `<p class="ink line" style="margin:0 0 14px;${bar}color:${ink};font-size:16px;line-height:1.55">${escapeHtml(text).replaceAll('\n', '<br>')}${below}</p>`
}

/** As on the pages (web/cards/AmountCard.tsx). */
function amountCard(
  { label, value, share = 0, inReview = false }: Fact,
  card: string | undefined,
  colors: Colors,
): string {
  const { surface, sunken, ink, soft, gold, 'on-gold': onGold } = colors
  const [name, background, color] = inReview ? ['gray', sunken, soft] : ['gold', gold, onGold]
  const width = Math.round(Math.min(share, 100))
  return `<table class="card" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 22px;border:2px solid ${ink};border-radius:16px;border-collapse:separate;background:${surface}">
<tr><td class="ink" colspan="2" height="20" style="padding:12px 18px;color:${ink};font-size:15px;line-height:20px;font-weight:600">${escapeHtml(card ?? '')}</td></tr>
<tr><td class="${name}" width="${width}%" style="padding:12px 18px 14px;border-radius:0 0 0 13px;background:${background};color:${color};white-space:nowrap">
<span style="font-size:14px;font-weight:600">${escapeHtml(label)}</span><br>
<span style="font-size:38px;font-weight:700;line-height:1.15;letter-spacing:-0.02em">${escapeHtml(value)}</span>
</td><td style="font-size:0">&nbsp;</td></tr>
</table>`
}

/** Characters from which the label of a fact may wrap on a phone. */
const LONG_LABEL = 20

function factsTable(facts: readonly Fact[], { line, soft, ink }: Colors): string {
  const rows = facts.map(
    ({ label, detail, value }) => `<tr>
<th class="soft line" scope="row"${detail ? '' : ` width="${label.length > LONG_LABEL ? 38 : 1}%"`} align="left" valign="top" style="${label.length > LONG_LABEL ? '' : 'white-space:nowrap;'}padding:10px 12px 10px 0;border-bottom:1px solid ${line};color:${soft};font-size:15px;line-height:1.35;font-weight:400">${unbroken(label)}${detail ? `<br><span style="font-size:13px">${escapeHtml(detail)}</span>` : ''}</th>
<td class="ink line" align="right" valign="top" style="padding:10px 0;border-bottom:1px solid ${line};color:${ink};font-size:15px;line-height:1.35;font-weight:600;overflow-wrap:break-word">${unbroken(value)}</td>
</tr>`,
  )
  if (rows.length === 0) return ''
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 14px">
${rows.join('\n')}
</table>`
}

/** "Routing: •••• 1533, Account: •••• 8834" wraps between the two numbers only. Texts without dots wrap anywhere. */
function unbroken(value: string): string {
  if (!value.includes('•')) return escapeHtml(value)
  const parts = value.split(/(?<=,) /)
  return parts.map((part) => `<span style="display:inline-block">${escapeHtml(part)}</span>`).join(' ')
}

function buttonLink({ label, url }: Link, { accent, 'on-accent': onAccent }: Colors): string {
  return `<table role="presentation" class="wide" cellpadding="0" cellspacing="0" style="margin-top:22px"><tr><td class="button" style="border-radius:10px;background:${accent};mso-padding-alt:12px 22px">
<a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:10px;line-height:24px;color:${onAccent};font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>`
}

function secondButton({ label, url }: Link, { accent }: Colors): string {
  return `<table role="presentation" class="wide" cellpadding="0" cellspacing="0" style="margin-top:12px"><tr><td class="second" style="border:1px solid ${accent};border-radius:10px;mso-padding-alt:11px 21px">
<a class="second" href="${escapeHtml(url)}" style="display:inline-block;padding:11px 21px;line-height:24px;color:${accent};font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  const unbrokenNumbers = clean(text).replace(/(?<=•) (?=\w)/g, '\u00a0')
  return unbrokenNumbers.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Removes control characters and normalizes line endings. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, '')
}
