import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Move, movesFrom } from '#domain/submission.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import { Person, type TestAnswer } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { remote } from '#test/remote.ts'
import { registered, signedInStaff } from '#test/signed-in.ts'
import { field, photo, submit } from '#test/submissions.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import { oneOf } from './sizes.ts'

/** Digits in every card number and PIN of the load. Wherever they turn up, a secret has leaked. */
export const CANARY = '45391488034'
export const PIN_CANARY = '77053119'

export const cardNumberOf = (card: number): string => `${CANARY}${String(card).padStart(8, '0')}`

export interface LoadOptions {
  /** Address of the server or of the proxy in front of several. */
  readonly url: string
  readonly acknowledgements: Acknowledgements
  readonly sellers: number
  readonly staff: number
  readonly seed: number
}

/** Pause before trying again. Long enough for a server to get through its start. */
const RETRY_MS = 150
/** Longest pause between two actions of a person. */
const PAUSE_MS = 200

/** The share of undoable moves that are undone at once. */
const UNDONE_SHARE = 0.5

interface OwnCard {
  id: string
  status: string
  offer: { amount: string } | null
}

/** What sellers do with a submission in each status. */
const movesOf: Readonly<Record<string, readonly string[]>> = {
  pending: ['withdraw'],
  offered: ['accept', 'decline'],
  rejected: ['appeal'],
}

/** Sellers and staff at work. They retry whenever the server does not answer, until they are stopped. */
export interface Load {
  /** Responses that no fault excuses. */
  readonly wrong: string[]
  readonly people: ReadonlyMap<string, Person>
  readonly calls: Calls
  stop(): Promise<void>
}

/** What became of the calls so far. */
export interface Calls {
  answered: number
  /** Without an answer, or answered with 503. */
  failed: number
}

export async function startLoad(options: LoadOptions): Promise<Load> {
  const { url, sellers, staff, seed } = options
  const people = new Map<string, Person>()
  for (let i = 0; i < sellers; i++) people.set(`seller${i}`, await newSeller(url, `seller${seed}x${i}`))
  for (let i = 0; i < staff; i++) people.set(`staff${i}`, await newStaff(url))
  const shift = new Shift(options, await photo())
  const work = [...people].map(([name, person], index) =>
    shift.work(name, person, new Random(seed + index), name.startsWith('seller')),
  )
  const stop = async () => {
    shift.over = true
    await Promise.all(work)
  }
  return { wrong: shift.wrong, people, calls: shift.calls, stop }
}

export function newSeller(url: string, username: string): Promise<Person> {
  return registered(new Person(remote(url)), username)
}

export function newStaff(url: string): Promise<Person> {
  return signedInStaff(new Person(remote(url)))
}

class Shift {
  readonly #acknowledgements: Acknowledgements
  readonly #photo: Buffer
  readonly wrong: string[] = []
  readonly calls: Calls = { answered: 0, failed: 0 }
  over = false
  #cards = 0

  constructor({ acknowledgements }: LoadOptions, photo: Buffer) {
    this.#acknowledgements = acknowledgements
    this.#photo = photo
  }

  async work(name: string, person: Person, chance: Random, sells: boolean): Promise<void> {
    while (!this.over) {
      const dice = chance.number()
      if (!sells) await this.#move(person, chance)
      else if (dice < 0.5) await this.#submit(name, person)
      else if (dice < 0.82) await this.#write(person)
      else if (dice < 0.97) await this.#moveOwn(person, chance)
      else await this.#signIn(person)
      await sleep(chance.number() * PAUSE_MS)
    }
  }

  async #submit(seller: string, person: Person): Promise<void> {
    const card = this.#cards++
    const key = randomUUID()
    const answer = await this.#insist(() => submit(person, fieldsOf(card), { photos: [this.#photo], key }))
    if (!answer) return
    // 200: an earlier attempt succeeded, and its response was lost.
    if (answer.status !== 201 && answer.status !== 200) return this.#complain('submit', answer)
    const { giftCard, transaction } = answer.json
    this.#acknowledgements.add({
      kind: 'submission',
      id: giftCard.id,
      transactionId: transaction.id,
      key,
      seller,
      card,
    })
  }

  async #write(person: Person): Promise<void> {
    const clientId = randomUUID()
    const text = `Is it there? ${clientId}`
    const answer = await this.#insist(() => person.post('/api/chat/messages', { message: text, clientId }))
    if (!answer) return
    if (answer.status !== 201 && answer.status !== 200) return this.#complain('message', answer)
    this.#acknowledgements.add({ kind: 'message', clientId, text })
  }

  async #signIn(person: Person): Promise<void> {
    const credentials = { email: person.email, password: SELLER_PASSWORD }
    // A sign-in whose answer got lost has ended the session that the person still has.
    const answer = await this.#insist(() => person.post('/api/auth/login', credentials))
    if (answer && answer.status !== 200) this.#complain('login', answer)
  }

  async #moveOwn(person: Person, chance: Random): Promise<void> {
    const list = await this.#once(() => person.get('/api/user/gift-cards?limit=10'))
    if (list?.status !== 200) return
    const { id, status, offer } =
      oneOf<OwnCard>(
        list.json.filter(({ status }: OwnCard) => status in movesOf),
        chance,
      ) ?? {}
    const action = status && oneOf(movesOf[status] ?? [], chance)
    if (!action) return
    const call = () =>
      action === 'appeal'
        ? person.upload(`/api/user/gift-cards/${id}/appeal`, [field('message', 'Please look again')])
        : person.post(
            `/api/user/gift-cards/${id}/${action}`,
            action === 'accept' ? { amount: offer?.amount } : undefined,
          )
    const answer = await this.#once(call)
    if (answer && ![200, 409].includes(answer.status)) this.#complain(action, answer)
  }

  async #move(person: Person, chance: Random): Promise<void> {
    const list = await this.#once(() => person.get('/api/admin/submissions?limit=20'))
    if (list?.status !== 200) return
    const card = oneOf<{ id: string; status: 'pending'; version: number }>(list.json, chance)
    const move = card && oneOf(movesFrom(card.status, 'staff'), chance)
    if (!card || !move) return
    const undoable = move.undoable && chance.chance(UNDONE_SHARE)
    const body = { status: move.to, version: card.version, undoable, ...textOf(move) }
    const answer = await this.#once(() => person.patch(`/api/admin/submissions/${card.id}/status`, body))
    // Another person has to decide on an appeal.
    if (!answer || answer.status === 409 || answer.json.code === 'second_person_needed') return
    if (answer.status !== 200) return this.#complain('move', answer)
    this.#acknowledge(card.id, answer)
    if (undoable) await this.#undo(person, card.id, answer.json.version)
  }

  async #undo(person: Person, id: string, version: number): Promise<void> {
    const answer = await this.#once(() => person.post(`/api/admin/submissions/${id}/undo`, { version }))
    if (!answer || answer.status === 409) return
    if (answer.status !== 200) return this.#complain('undo', answer)
    this.#acknowledge(id, answer)
  }

  #acknowledge(id: string, { json: { version, status: to } }: TestAnswer): void {
    this.#acknowledgements.add({ kind: 'move', id, version, to })
  }

  /** Retries until there is a response. Undefined if the load is stopped first. */
  async #insist(ask: () => Promise<TestAnswer>): Promise<TestAnswer | undefined> {
    for (;;) {
      const answer = await this.#once(ask)
      if (answer || this.over) return answer
    }
  }

  /** Undefined if there was no response, or 503. */
  async #once(ask: () => Promise<TestAnswer>): Promise<TestAnswer | undefined> {
    const answer = await ask().catch(() => undefined)
    if (answer && answer.status !== 503) {
      this.calls.answered++
      return answer
    }
    this.calls.failed++
    await sleep(RETRY_MS)
    return undefined
  }

  #complain(what: string, { status, text }: TestAnswer): void {
    this.wrong.push(`${what} answered ${status}: ${text.slice(0, 300)}`)
  }
}

/** What staff send with a move. */
export function textOf({ needs }: Move): object {
  return { ...(needs && { reason: 'Not readable' }), ...(needs === 'offer' && { amount: '80.00' }) }
}

/** Fields of the card with this number, the same each time it is sent. */
export function fieldsOf(card: number): Record<string, string> {
  return { cardNumber: cardNumberOf(card), securityCode: PIN_CANARY, submissionNotes: `Card ${card}` }
}
