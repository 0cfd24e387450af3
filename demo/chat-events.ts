import { accepted } from '#test/person.ts'
import { type Browsers, DAY_MS, type DemoEvent, HOUR_MS, MINUTE_MS } from './browsers.ts'
import type { SellerConversation, VisitorConversation } from './conversations.ts'
import { emailOf, type StaffName } from './people.ts'

/** The messages of a conversation. Staff also read the last one of an older conversation, and close an old one. */
export function chatEvents(conversation: SellerConversation | VisitorConversation, now: number): DemoEvent[] {
  const customer = 'seller' in conversation ? sellerSide(conversation) : visitorSide(conversation)
  let at = now - conversation.daysAgo * DAY_MS
  const events: DemoEvent[] = conversation.messages.map(([minutes, by, message]) => {
    at += minutes * MINUTE_MS
    const run = async (browsers: Browsers) =>
      by === 'customer'
        ? customer.write(browsers, message)
        : reply(browsers, by, await customer.thread(browsers), message)
    return { at, run }
  })
  if (conversation.daysAgo < 1) return events
  const finish = async (browsers: Browsers) => {
    const thread = await customer.thread(browsers)
    await markRead(browsers, 'maya', thread)
    const maya = await browsers.staff('maya')
    if (conversation.daysAgo > CLOSED_AFTER_DAYS) {
      await accepted(maya.patch('/api/admin/chat/threads', { ...thread, closed: true }))
    }
  }
  return [...events, { at: at + HOUR_MS, run: finish }]
}

const CLOSED_AFTER_DAYS = 3

type ThreadName = { userId: string } | { sessionId: string }

async function reply(browsers: Browsers, by: StaffName, thread: ThreadName, message: string): Promise<void> {
  await markRead(browsers, by, thread)
  const path = 'userId' in thread ? '/api/admin/chat/reply' : '/api/admin/contact/reply'
  await accepted((await browsers.staff(by)).post(path, { ...thread, message }))
}

async function markRead(browsers: Browsers, by: StaffName, thread: ThreadName): Promise<void> {
  await accepted((await browsers.staff(by)).post('/api/admin/chat/mark-read', thread))
}

function sellerSide({ seller }: SellerConversation) {
  return {
    write: async (browsers: Browsers, message: string) => {
      const person = await browsers.seller(seller)
      await accepted(person.post('/api/chat/messages', { message }))
      await accepted(person.post('/api/chat/mark-read'))
    },
    thread: async (browsers: Browsers): Promise<ThreadName> => ({
      userId: (await browsers.seller(seller)).id,
    }),
  }
}

function visitorSide({ visitor }: VisitorConversation) {
  let sessionId = ''
  return {
    write: async (browsers: Browsers, message: string) => {
      const browser = browsers.visitor()
      if (sessionId)
        return void (await accepted(browser.post('/api/contact/message', { sessionId, message })))
      const form = { ...visitor, email: emailOf(visitor), message }
      sessionId = (await accepted(browser.post('/api/contact', form))).json.sessionId
    },
    thread: async (): Promise<ThreadName> => ({ sessionId }),
  }
}
