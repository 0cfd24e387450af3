import { createECDH, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { makeDataDir } from '#server/platform/config/data-dir.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { createDurably, readIfExists } from '#server/platform/durable-file.ts'

/** A key pair as VAPID has it (RFC 8292), in base64url. */
export interface PushKey {
  readonly publicKey: string
  readonly privateKey: string
}

/** The key of PUSH_KEY, or else of the file DATA_DIR/push-key, which is created if there is none. */
export async function loadPushKey({
  pushKey,
  dataDir,
}: {
  pushKey?: string | undefined
  dataDir: string
}): Promise<PushKey> {
  if (pushKey !== undefined) return toPushKey(pushKey, 'PUSH_KEY')
  const path = pushKeyFileIn(dataDir)
  await makeDataDir(dataDir)
  // If another process created the file first, its key counts.
  await createDurably(path, `${randomBytes(32).toString('base64')}\n`)
  return toPushKey(String(await readIfExists(path)), path)
}

export function pushKeyFileIn(dataDir: string): string {
  return join(dataDir, 'push-key')
}

function toPushKey(text: string, source: string): PushKey {
  const privateKey = Buffer.from(text.trim(), 'base64')
  try {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey)
    return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
  } catch {
    throw new OperatorError(`${source} has no key for pushes. Make one with: openssl rand -base64 32`)
  }
}
