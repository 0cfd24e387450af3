import type { Readable } from 'node:stream'
import { z } from 'zod'
import { paymentMethod } from '#contract/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { exportAccount } from '#server/features/accounts/own-data.ts'
import { exportChats } from '#server/features/chat/own-data.ts'
import { listSettings } from '#server/features/notifications/settings.ts'
import { listPaymentMethods } from '#server/features/payment-methods/actions.ts'
import { exportSubmissions } from '#server/features/submissions/own-data.ts'
import type { Seller } from '#server/http/actor.ts'
import { jsonEntry, type ZipEntry, zipStream } from '#server/http/zip.ts'

/**
 * Everything that the shop keeps about a seller, as a ZIP file. It is read part by part while it is sent, in no transaction, so a slow
 * reader blocks nobody. Card numbers, PINs and bank numbers stay masked: a stolen session must not be worth cash.
 */
export function exportOwnData(context: Context, seller: Seller): Readable {
  return zipStream(entries(context, seller))
}

async function* entries(context: Context, seller: Seller): AsyncGenerator<ZipEntry> {
  const { db, words, site } = context
  const t = words[seller.locale]
  const date = new Date().toISOString().slice(0, 10)
  yield {
    name: 'README.txt',
    input: t('download.readme', { username: seller.username, date, site: site.publicUrl }),
  }
  yield* exportAccount(context, seller)
  const methods = await listPaymentMethods(context, seller, t)
  yield jsonEntry('payment-methods.json', z.encode(z.array(paymentMethod), methods))
  yield jsonEntry('notifications.json', await listSettings(db, seller.id))
  yield* exportChats(context, seller)
  yield* exportSubmissions(context, seller)
}
