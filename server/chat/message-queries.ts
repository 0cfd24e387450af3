import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { MessagesPage } from '#contract/chat.ts'
import { onlyRow } from '#server/database/only-row.ts'
import type { Executor, Transaction } from '#server/database/pool.ts'
import { administrators, chatMessages } from '#server/database/schema.ts'

export type StoredMessage = typeof chatMessages.$inferSelect
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number]

export async function insertMessage(
  tx: Transaction,
  message: Omit<typeof chatMessages.$inferInsert, 'number'>,
): Promise<StoredMessage> {
  return onlyRow(await tx.insert(chatMessages).values(message).returning())
}

export async function findByClientId(
  db: Executor,
  { threadId, isAdminReply, clientId }: { threadId: string; isAdminReply: boolean; clientId: string },
) {
  const [row] = await selectMessages(db).where(
    and(
      eq(chatMessages.threadId, threadId),
      eq(chatMessages.isAdminReply, isAdminReply),
      eq(chatMessages.clientId, clientId),
    ),
  )
  return row
}

/** The newest ones before `before`, newest first. */
export async function listMessages(
  db: Executor,
  threadId: string,
  { before, limit }: Pick<MessagesPage, 'before' | 'limit'>,
) {
  const older =
    before === undefined
      ? undefined
      : sql`${chatMessages.number} < (
          select number from chat_messages where id = ${before} and thread_id = ${threadId}
        )`
  return await selectMessages(db)
    .where(and(eq(chatMessages.threadId, threadId), older))
    .orderBy(desc(chatMessages.number))
    .limit(limit + 1)
}

/** Staff's replies after one message and up to another, oldest first. */
export async function listReplies(
  db: Executor,
  id: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<string[]> {
  const { threadId, isAdminReply, number, message } = chatMessages
  const rows = await db
    .select({ message })
    .from(chatMessages)
    .where(and(eq(threadId, id), eq(isAdminReply, true), gt(number, after), lte(number, upTo)))
    .orderBy(number)
    .limit(limit)
  return rows.map((row) => row.message)
}

function selectMessages(db: Executor) {
  return db
    .select({ message: chatMessages, adminUsername: administrators.username })
    .from(chatMessages)
    .leftJoin(administrators, eq(administrators.id, chatMessages.adminUserId))
}
