import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { eq, or } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Context } from '#server/context.ts'
import { resetSecondFactor } from '#server/features/accounts/credentials/second-factor.ts'
import { record } from '#server/features/audit/actions.ts'
import { Catalog } from '#server/features/brands/catalog.ts'
import { deleteAccount } from '#server/features/own-data/erase.ts'
import { exportOwnData } from '#server/features/own-data/export.ts'
import { Refusal, toFieldError } from '#server/http/refusal.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createLog } from '#server/platform/log.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { PhotoDecoder } from '#server/platform/photos/photo-decoder.ts'
import { verifyKeys } from '#server/platform/vault/key-check.ts'
import { loadKeys } from '#server/platform/vault/keys.ts'
import { readWords } from '#words/catalogs.ts'
import { requireOwnStore } from './installation.ts'
import { callersFile, type Run, type Tools } from './tools.ts'

export function addPersonCommands(program: Command, run: Run): void {
  const person = program.command('person').description("a seller's data and second factor")
  person
    .command('export')
    .description('write everything about a seller into a ZIP file, with masked numbers')
    .argument('USER', 'username, email or ID')
    .argument('FILE', '', callersFile)
    .action((name: string, file: string) => run((tools) => exportPerson(tools, name, file)))
  person
    .command('erase')
    .description('delete the account of a seller; records of money stay, without the person')
    .argument('USER', 'username, email or ID')
    .action((name: string) => run((tools) => erasePerson(tools, name)))
  person
    .command('reset-totp')
    .description('turn off the second factor of a seller and email them about it')
    .argument('USER', 'username, email or ID')
    .action((name: string) => run((tools) => resetTotp(tools, name)))
}

async function exportPerson(tools: Tools, name: string, file: string): Promise<void> {
  const seller = await findSeller(tools, name)
  const context = await openContext(tools)
  const { id, username, locale } = seller
  // Recorded first: nobody gets the data without an entry.
  await transaction(tools.db, (tx) =>
    record(tx, {
      actor: { kind: 'system' },
      action: 'seller.data_exported',
      subject: { kind: 'seller', id },
      details: { by: 'command line' },
    }),
  )
  const zip = exportOwnData(context, { kind: 'seller', id, username, locale, sid: '' })
  await pipeline(zip, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  tools.say(`Everything about ${username} is in ${file}. The photos in it may show card numbers.`)
}

async function erasePerson(tools: Tools, name: string): Promise<void> {
  const { id, username } = await findSeller(tools, name)
  const context = await openContext(tools)
  try {
    await deleteAccount(context, { id, by: 'command line' })
  } catch (error) {
    if (!(error instanceof Refusal) || !error.errors) throw error
    const open = error.errors.map((one) => `- ${one.path}: ${toFieldError(one, context.words.en).message}`)
    throw new OperatorError([`${username} cannot be deleted yet:`, ...open].join('\n'))
  }
  tools.say(`The account ${username} is deleted. Its owner gets one last email.`)
}

async function resetTotp(tools: Tools, name: string): Promise<void> {
  const { id, username } = await findSeller(tools, name)
  if (!(await resetSecondFactor(tools, id))) throw new OperatorError(`${username} has no second factor.`)
  tools.say(`${username} no longer needs a code to sign in.`)
}

async function findSeller({ db }: Tools, name: string) {
  const [found] = await db
    .select()
    .from(users)
    .where(
      isUuid(name) ? eq(users.id, name) : or(sameText(users.username, name), sameText(users.email, name)),
    )
  if (!found || found.deletedAt) throw new OperatorError(`There is no seller ${name}.`)
  return found
}

async function openContext({ db, passwords, source, storage, brand, url }: Tools): Promise<Context> {
  const keys = await loadKeys(source)
  await verifyKeys(db, keys)
  const photos = await openStorage(storage)
  await requireOwnStore(db, { photos, store: storeName(storage) })
  return {
    db,
    keys,
    photos,
    passwords,
    catalog: new Catalog(db),
    decoder: new PhotoDecoder(),
    log: createLog('warn'),
    words: readWords({ product: brand.name, folder: brand.wordsFolder }),
    site: {
      productName: brand.name,
      themes: brand.themes,
      payoutMethods: brand.payoutMethods,
      publicUrl: url,
      allowedOrigin: undefined,
      https: false,
      timeZone: 'UTC',
      adminUsernames: new Set(),
      payouts: { manual: true, alwaysTwoPersons: false, netReceivables: false, nacha: { cutoff: 1020 } },
    },
  }
}
