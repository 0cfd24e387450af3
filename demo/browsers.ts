import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { brand } from '#contract/brands.ts'
import type { Brand, Category } from '#domain/brands.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { accepted, Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { registered } from '#test/signed-in.ts'
import { emailOf, type SellerName, type StaffName, sellers } from './people.ts'

export const MINUTE_MS = 60 * 1000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Something that happens in the demo, at a time in milliseconds. */
export interface DemoEvent {
  readonly at: number
  readonly run: (browsers: Browsers) => Promise<unknown>
}

/** Browsers sign in again after this time, before the server ends their session. */
const SESSION_MS = { seller: 20 * 24 * HOUR_MS, staff: 10 * HOUR_MS }

interface BrowsersOptions {
  readonly url: string
  readonly passwords: { readonly seller: string; readonly staff: string }
  /** The folder to which the server writes emails. */
  readonly mailFolder: string
  readonly payoutMethods: readonly PaymentType[]
}

/** A browser for each person, which signs in when needed. */
export class Browsers {
  readonly #server: ReturnType<typeof remote>
  readonly #passwords: { readonly seller: string; readonly staff: string }
  readonly #browsers = new Map<string, { person: Person; until: number }>()

  readonly #mailFolder: string
  /** The payment types that the shop offers. */
  readonly payoutMethods: readonly PaymentType[]

  constructor({ url, passwords, mailFolder, payoutMethods }: BrowsersOptions) {
    this.#server = remote(url)
    this.#mailFolder = mailFolder
    this.#passwords = passwords
    this.payoutMethods = payoutMethods
  }

  visitor(): Person {
    return new Person(this.#server)
  }

  /** The brands with their current terms. */
  async catalog(): Promise<Brand[]> {
    const answer = await accepted(this.visitor().get('/api/brands'))
    const rows = z.array(brand).parse(answer.json)
    return rows.map(({ category, minAmount, maxAmount, ...row }) => ({
      ...row,
      category: category as Category,
      minimum: minAmount,
      maximum: maxAmount,
    }))
  }

  async register(name: SellerName): Promise<void> {
    const { firstName, lastName, username } = sellers[name]
    const email = emailOf(sellers[name])
    const { person } = this.#browser(name)
    await registered(person, { firstName, lastName, username, email, password: this.#passwords.seller })
    this.#browsers.set(name, { person, until: Date.now() + SESSION_MS.seller })
  }

  /** Follows the link in the welcome mail. */
  async confirmEmail(name: SellerName): Promise<void> {
    const files = await readdir(this.#mailFolder)
    const mails = await Promise.all(files.map((file) => readFile(join(this.#mailFolder, file), 'utf8')))
    const mail = mails.find((text) => text.includes(`To: ${emailOf(sellers[name])}`))
    // Mails are quoted-printable: long lines are broken, and = is =3D.
    const readable = mail?.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
    const token = /\/confirm-email\?token=([\w-]+)/.exec(readable ?? '')?.[1]
    await accepted((await this.seller(name)).post('/api/auth/confirm-email', { token }))
  }

  seller(name: SellerName): Promise<Person> {
    const email = emailOf(sellers[name])
    return this.#signedIn(name, 'seller', '/api/auth/login', { email, password: this.#passwords.seller })
  }

  staff(name: StaffName): Promise<Person> {
    const password = this.#passwords.staff
    return this.#signedIn(name, 'staff', '/api/admin/login', { username: name, password })
  }

  /** Ends all sessions, so that lists of sessions show only those of real browsers. */
  async signOut(): Promise<void> {
    for (const { person } of this.#browsers.values()) {
      await person.post('/api/auth/logout')
      await person.post('/api/admin/logout')
    }
  }

  async #signedIn(
    name: string,
    kind: keyof typeof SESSION_MS,
    path: string,
    credentials: object,
  ): Promise<Person> {
    const browser = this.#browser(name)
    if (Date.now() < browser.until) return browser.person
    await accepted(browser.person.post(path, credentials))
    browser.until = Date.now() + SESSION_MS[kind]
    return browser.person
  }

  #browser(name: string) {
    const browser = this.#browsers.get(name) ?? { person: this.visitor(), until: 0 }
    this.#browsers.set(name, browser)
    return browser
  }
}
