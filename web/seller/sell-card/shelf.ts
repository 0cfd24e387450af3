import { queryOptions } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { KeptPhoto } from '#web/kit/photos/use-photos.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { call } from '#web/wire/call.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'

/**
 * Keeps what a seller has entered in this browser, because phones discard the page while the camera is open. Everything is
 * sealed with a key that the server gives to this session only, so nothing can be opened after it has ended.
 */
export interface Shelf {
  /** What was kept when the shelf was opened: the parts of each card. */
  readonly drafts: ReadonlyMap<string, unknown>
  readonly photos: ReadonlyMap<string, readonly KeptPhoto[]>
  readonly keepDraft: (card: string, draft: object) => void
  readonly keepPhotos: (card: string, photos: readonly KeptPhoto[]) => void
  /** Removes everything about a card. */
  readonly forget: (card: string) => void
}

/** A new shelf each time that a screen asks for it. Dropped when somebody signs in or out. */
export const shelfOf = (userId: string) =>
  queryOptions({ queryKey: ['shelf', userId], queryFn: () => openShelf(userId), gcTime: 0 })

/** Sign-out deletes it, without loading this file. */
export const SHELF_DATABASE = 'shelf'

/** Milliseconds after the last change. */
const KEPT_MS = 24 * 3600 * 1000

interface Item {
  /** The tab, the seller, the card, and `draft` or `photos`. */
  readonly name: string
  readonly savedAt: number
  /** Sealed: a JSON text, then the photos. */
  readonly parts: readonly Sealed[]
}

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly bytes: ArrayBuffer
}

async function openShelf(userId: string): Promise<Shelf> {
  const prefix = `${tabId()} ${userId} `
  const drafts = new Map<string, unknown>()
  const photos = new Map<string, readonly KeptPhoto[]>()
  let fetched: Promise<CryptoKey> | undefined
  const key = () => {
    fetched ??= fetchKey()
    fetched.catch(() => {
      fetched = undefined
    })
    return fetched
  }

  /** What to write next, by item. Undefined removes it. */
  const waiting = new Map<string, (() => Promise<readonly ArrayBuffer[]>) | undefined>()
  let writing = Promise.resolve()
  /** Writes one after the other, and of several changes of an item the last. A full disk only means that it is not kept. */
  function write(name: string, parts?: () => Promise<readonly ArrayBuffer[]>): void {
    const isQueued = waiting.has(name)
    waiting.set(name, parts)
    if (isQueued) return
    writing = writing
      .then(async () => {
        const latest = waiting.get(name)
        waiting.delete(name)
        if (!latest) return void (await inStore('readwrite', (store) => store.delete(name)))
        const plain = await latest()
        const sealed = await Promise.all(plain.map(async (part) => seal(await key(), name, part)))
        await inStore('readwrite', (store) => store.put({ name, savedAt: Date.now(), parts: sealed }))
      })
      .catch(() => undefined)
  }

  async function read({ name, parts }: Item): Promise<void> {
    const [, , card = '', kind] = name.split(' ')
    const opened = await Promise.all(parts.map(async (part) => unseal(await key(), name, part)))
    const [text, ...files] = opened
    const entered = JSON.parse(new TextDecoder().decode(text))
    if (kind === 'draft') drafts.set(card, entered)
    else photos.set(card, entered.map(toPhoto(files)))
  }

  const items = await inStore<Item[]>('readonly', (store) => store.getAll()).catch(() => [])
  for (const item of items) {
    if (item.savedAt < Date.now() - KEPT_MS) write(item.name)
    // It was sealed for a session that has ended, or the server cannot be reached.
    else if (item.name.startsWith(prefix)) await read(item).catch(() => undefined)
  }
  return {
    drafts,
    photos,
    keepDraft: (card, draft) => write(`${prefix}${card} draft`, async () => [toBytes(draft)]),
    keepPhotos: (card, kept) =>
      write(`${prefix}${card} photos`, async () => [
        toBytes(
          kept.map(({ file: { name, type, lastModified }, slot, earlier }) => ({
            name,
            type,
            lastModified,
            slot,
            earlier,
          })),
        ),
        ...(await Promise.all(kept.map(({ file }) => file.arrayBuffer()))),
      ]),
    forget: (card) => {
      for (const kind of ['draft', 'photos']) write(`${prefix}${card} ${kind}`)
    },
  }
}

type KeptPhotoFacts = Omit<KeptPhoto, 'file'> & { name: string } & FilePropertyBag

const toPhoto =
  (files: readonly ArrayBuffer[]) =>
  ({ slot, earlier, name, ...rest }: KeptPhotoFacts, index: number): KeptPhoto => ({
    slot,
    earlier,
    file: new File(files.slice(index, index + 1), name, rest),
  })

const toBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).buffer

/** Each tab has its own drafts. A page that was discarded comes back in its tab. */
function tabId(): string {
  const id = readStored('sessionStorage', 'tab') ?? randomUuid()
  writeStored('sessionStorage', 'tab', id)
  return id
}

async function fetchKey(): Promise<CryptoKey> {
  const { key } = await call(routes.draftKey, {})
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Bound to the item's name, so that it cannot be opened as another one. */
const algorithm = (name: string, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
})

async function seal(key: CryptoKey, name: string, plain: ArrayBuffer): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { iv, bytes: await crypto.subtle.encrypt(algorithm(name, iv), key, plain) }
}

const unseal = (key: CryptoKey, name: string, { iv, bytes }: Sealed) =>
  crypto.subtle.decrypt(algorithm(name, iv), key, bytes)

/** Opens the database for one request, so that another tab can delete it. Rejects where storage is off or full. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(SHELF_DATABASE)
  opening.onupgradeneeded = () => opening.result.createObjectStore('items', { keyPath: 'name' })
  await ended(opening, 'success')
  try {
    const transaction = opening.result.transaction('items', mode)
    const request = ask(transaction.objectStore('items'))
    await ended(transaction, 'complete')
    return request.result
  } finally {
    opening.result.close()
  }
}

function ended(target: IDBRequest | IDBTransaction, event: 'success' | 'complete'): Promise<void> {
  return new Promise((resolve, reject) => {
    target.addEventListener(event, () => resolve())
    for (const failed of ['error', 'abort']) target.addEventListener(failed, () => reject(target.error))
  })
}
