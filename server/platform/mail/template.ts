import { parseColor, toHex } from '#brand/contrast.ts'
import type { Themes, Tokens } from '#brand/tokens.ts'
import type { Translate } from '#words/translate.ts'

/** Plain text; HTML in it is escaped. */
export interface EmailContent {
  readonly subject: string
  readonly heading: string
  readonly greeting?: string
  /** Line breaks within a paragraph are kept. Lists of mails show the start of the first one after the subject. */
  readonly paragraphs: readonly string[]
  /** A small table, such as Card, You receive, Status. */
  readonly facts?: readonly { label: string; value: string }[]
  readonly button?: Link
}

export interface Link {
  readonly label: string
  readonly url: string
}

/** Whose email it is. */
export interface Sender {
  readonly productName: string
  readonly company?: { readonly name: string; readonly address: string } | undefined
  readonly themes: Themes
}

/** What is below an email. */
export interface Footer {
  /** One or two sentences on how to reach a person. */
  readonly contact: string
  readonly links: readonly Link[]
}

/** Renders an email as plain text and as HTML. Throws if a link is not an absolute web address. */
export function renderEmail(
  t: Translate,
  content: EmailContent,
  sender: Sender,
  footer: Footer,
): { subject: string; text: string; html: string } {
  for (const { url } of [...(content.button ? [content.button] : []), ...footer.links]) {
    if (!/^https?:\/\/[^\s]+$/.test(url)) throw new Error('A link of an email needs an absolute web address')
  }
  return {
    subject: content.subject,
    text: toText(content, sender, footer),
    html: toHtml(t, content, sender, footer),
  }
}

function toText(
  { heading, greeting, paragraphs, facts = [], button }: EmailContent,
  { productName, company }: Sender,
  { contact, links }: Footer,
): string {
  const parts = [heading, ...(greeting ? [greeting] : []), ...paragraphs]
  if (facts.length > 0) parts.push(facts.map(({ label, value }) => `${label}: ${value}`).join('\n'))
  if (button) parts.push(linkLine(button))
  const lines = [productName, contact, ...links.map(linkLine), ...(company ? [addressOf(company)] : [])]
  return `${[...parts, ['-- ', ...lines].join('\n')].map(clean).join('\n\n')}\n`
}

const linkLine = ({ label, url }: Link): string => `${label}: ${url}`

// Many clients drop style sheets, so colors are inline; the style sheet adds dark mode. Outlook supports only table layout.
function toHtml(
  t: Translate,
  { subject, heading, greeting, paragraphs, facts = [], button }: EmailContent,
  { productName, company, themes }: Sender,
  { contact, links }: Footer,
): string {
  const [accent, darkAccent] = [accentOf(themes.light), accentOf(themes.dark)]
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
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .sheet { background: #22252c !important; border-color: #3a3f4a !important; }
  .ink { color: #f1f3f7 !important; }
  .quiet { color: #aab1bf !important; }
  .line { border-color: #3a3f4a !important; }
  .name { color: ${darkAccent.color} !important; }
  .button { background: ${darkAccent.color} !important; color: ${darkAccent.onColor} !important; }
}
@media (max-width: 480px) {
  .edge { padding: 16px 8px !important; }
  .sheet { padding: 24px 20px !important; }
  .wide { width: 100% !important; }
  a.button { display: block !important; text-align: center; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
${preheader(paragraphs)}
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6">
<tr><td class="edge" align="center" style="padding:32px 16px;font-family:system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="name" style="padding:0 8px 16px;color:${accent.color};font-size:18px;font-weight:700">${escapeHtml(productName)}</td></tr>
<tr><td class="sheet" style="padding:32px;background:#ffffff;border:1px solid #e5e7eb;border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;color:#111827;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${[...(greeting ? [greeting] : []), ...paragraphs].map(paragraph).join('\n')}
${facts.length > 0 ? factsTable(facts) : ''}
${button ? buttonLink(button, accent) : ''}
</td></tr>
<tr><td class="quiet" style="padding:16px 8px 0;color:#6b7280;font-size:13px;line-height:1.5">${footerLines(t, contact, links, company).join('<br>')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/**
 * What lists of mails show after the subject. The invisible characters keep them from showing more of the email.
 * Not shown in the email itself.
 */
function preheader([first = '']: readonly string[]): string {
  const filler = '&#847;&zwnj;&nbsp;'.repeat(80)
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(first)}${filler}</div>`
}

function footerLines(
  t: Translate,
  contact: string,
  links: readonly Link[],
  company: Sender['company'],
): string[] {
  return [
    escapeHtml(`${t('mail.sentBy')} ${contact}`),
    ...links.map(
      ({ label, url }) =>
        `<a class="quiet" href="${escapeHtml(url)}" style="color:#6b7280">${escapeHtml(label)}</a>`,
    ),
    ...(company ? [escapeHtml(addressOf(company))] : []),
  ]
}

function addressOf({ name, address }: NonNullable<Sender['company']>): string {
  return `${name}, ${address}`
}

/** As email programs know them. */
function accentOf(theme: Tokens): { color: string; onColor: string } {
  const [color = '', onColor = ''] = ['accent', 'on-accent'].map((name) => {
    const parsed = parseColor(theme[name] ?? '')
    return parsed && toHex(parsed)
  })
  return { color, onColor }
}

function paragraph(text: string): string {
  return `<p class="ink" style="margin:0 0 14px;color:#374151;font-size:16px;line-height:1.55">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
}

function factsTable(facts: NonNullable<EmailContent['facts']>): string {
  const rows = facts.map(
    ({ label, value }) => `<tr>
<th class="quiet line" scope="row" align="left" valign="top" style="padding:10px 12px 10px 0;border-bottom:1px solid #e5e7eb;color:#6b7280;font-size:15px;font-weight:400">${escapeHtml(label)}</th>
<td class="ink line" align="right" valign="top" style="padding:10px 0;border-bottom:1px solid #e5e7eb;color:#111827;font-size:15px;font-weight:600;overflow-wrap:anywhere">${escapeHtml(value)}</td>
</tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 22px">
${rows.join('\n')}
</table>`
}

function buttonLink({ label, url }: Link, { color, onColor }: ReturnType<typeof accentOf>): string {
  return `<table role="presentation" class="wide" cellpadding="0" cellspacing="0"><tr><td class="button" style="border-radius:8px;background:${color}">
<a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;line-height:24px;color:${onColor};font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>
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
  return clean(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Removes control characters and normalizes line endings. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, '')
}
