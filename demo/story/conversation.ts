import { type Cast, taken } from '../cast.ts'
import { emailOf, type StaffName } from '../people.ts'
import type { SellerTalk, VisitorTalk } from '../talk.ts'
import { DAY_MS, type Deed, HOUR_MS, MINUTE_MS } from './deed.ts'

/** What is written in a thread, each message when it was due. */
export function conversation(talk: SellerTalk | VisitorTalk, now: number): Deed[] {
  const customer = 'seller' in talk ? sellerSide(talk) : visitorSide(talk)
  let at = now - talk.ago * DAY_MS
  const deeds: Deed[] = talk.messages.map(([minutes, by, message]) => {
    at += minutes * MINUTE_MS
    const run = async (cast: Cast) =>
      by === 'customer'
        ? customer.write(cast, message)
        : reply(cast, by, await customer.thread(cast), message)
    return { at, run }
  })
  if (talk.ago < 1) return deeds
  // Thanks are read too.
  const read = async (cast: Cast) => markRead(cast, 'maya', await customer.thread(cast))
  return [...deeds, { at: at + HOUR_MS, run: read }]
}

type ThreadName = { userId: string } | { sessionId: string }

async function reply(cast: Cast, by: StaffName, thread: ThreadName, message: string): Promise<void> {
  await markRead(cast, by, thread)
  const path = 'userId' in thread ? '/api/admin/chat/reply' : '/api/admin/contact/reply'
  await taken((await cast.staff(by)).post(path, { ...thread, message }))
}

async function markRead(cast: Cast, by: StaffName, thread: ThreadName): Promise<void> {
  await taken((await cast.staff(by)).post('/api/admin/chat/mark-read', thread))
}

function sellerSide({ seller }: SellerTalk) {
  return {
    write: async (cast: Cast, message: string) => {
      const person = await cast.seller(seller)
      await taken(person.post('/api/chat/messages', { message }))
      await taken(person.post('/api/chat/mark-read'))
    },
    thread: async (cast: Cast): Promise<ThreadName> => ({ userId: (await cast.seller(seller)).id }),
  }
}

function visitorSide({ visitor }: VisitorTalk) {
  let sessionId = ''
  return {
    write: async (cast: Cast, message: string) => {
      const browser = cast.visitor()
      if (sessionId) return void (await taken(browser.post('/api/contact/message', { sessionId, message })))
      const form = { ...visitor, email: emailOf(visitor), message }
      sessionId = (await taken(browser.post('/api/contact', form))).json.sessionId
    },
    thread: async (): Promise<ThreadName> => ({ sessionId }),
  }
}
