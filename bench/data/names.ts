import { conversations, savedReplies } from '#demo/conversations.ts'
import { sales } from '#demo/sales/all.ts'

const words = (text: string): readonly string[] => text.split(' ')

export const firstNames = words(
  'Maria James Ana Robert Linda Michael Grace David Sofia Daniel Emma Carlos Olivia Ahmed Chloe Kevin Priya Thomas ' +
    'Laura Marcus Nina Brian Elena Samuel Ruth Victor Hannah Oscar Julia Peter Amara Diego Fiona Hugo Irene Jonas',
)
export const lastNames = words(
  'Lopez Smith Johnson Garcia Miller Davis Wilson Moore Taylor Anderson Jackson White Harris Martin Thompson Young ' +
    'Robinson Clark Lewis Lee Walker Hall Allen King Wright Scott Green Baker Adams Nelson Hill Campbell Mitchell ' +
    'Roberts Carter Phillips Evans Turner Torres Parker Collins Edwards Stewart Flores Morris Nguyen Murphy Rivera',
)
/** Reserved for examples (RFC 2606), so that no mail is delivered. */
export const mailHosts = ['example.com', 'example.org', 'example.net', 'mail.example']

// The demo has the same texts.

export const notes = sales.flatMap(({ notes }) => notes ?? [])

const steps = sales.flatMap(({ steps }) => steps ?? [])
export const questions = steps.flatMap(([, , to, text]) => (to === 'under_review' ? text : []))
export const answers = steps.flatMap(([, , action, text]) => (action === 'answer' ? text : []))

export const subjects = conversations.flatMap((one) => ('visitor' in one ? one.visitor.subject : []))

const messages = conversations.flatMap((conversation) => conversation.messages)
export const customerMessages = messages.flatMap(([, by, text]) => (by === 'customer' ? text : []))
export const staffMessages = savedReplies.map(({ text }) => text)

/** Where cards are sold. */
export const channels = ['Bulk buyer', 'Online market']
