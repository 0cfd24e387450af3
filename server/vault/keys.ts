import { generateKeyFile, KeyFileRing, keyFileIn } from './key-file.ts'
import { INDEX_KEY_ID, type KeyRing, KeySettingError, parseKeys } from './key-ring.ts'

export type KeySource = {
  dataDir: string
  /** The setting SECRET_KEYS: `k2:…,k1:…,index:…`, the first one being the current master key. */
  secretKeys?: string | undefined
  databaseIsExternal: boolean
}

/** Where the settings say that the keys are. */
export function keySourceOf({
  dataDir,
  secretKeys,
  databaseUrl,
}: Pick<KeySource, 'dataDir' | 'secretKeys'> & { databaseUrl: string | undefined }): KeySource {
  return { dataDir, secretKeys, databaseIsExternal: databaseUrl !== undefined }
}

/**
 * The keys the secrets are sealed with: those of SECRET_KEYS, else those of the file `keys` in the data
 * folder, which is made when it is missing and the database is the embedded one. An external database may be
 * shared or outlive the folder, so there nobody but the operator may decide about keys.
 * Throws `KeySettingError` with one line for the operator.
 */
export async function loadKeys(source: KeySource): Promise<KeyRing> {
  const { secretKeys = '', databaseIsExternal } = source
  const path = keyFileOf(source)
  if (path === undefined) return parseKeys(secretKeys.split(',').filter(isNotBlank), 'SECRET_KEYS')
  const kept = await KeyFileRing.open(path)
  if (kept) return kept
  if (databaseIsExternal) throw new KeySettingError(howToMakeKeys(path))
  await generateKeyFile(path)
  // Read back also when another process was faster: its keys count then.
  const made = await KeyFileRing.open(path)
  if (!made) throw new KeySettingError(`${path}: vanished while it was made`)
  return made
}

/** The file that the keys are read from; undefined when SECRET_KEYS holds them. */
export function keyFileOf({
  secretKeys,
  dataDir,
}: Pick<KeySource, 'secretKeys' | 'dataDir'>): string | undefined {
  return secretKeys?.trim() ? undefined : keyFileIn(dataDir)
}

function isNotBlank(text: string): boolean {
  return text.trim() !== ''
}

function howToMakeKeys(path: string): string {
  return (
    `SECRET_KEYS is not set, but it is required with DATABASE_URL (and there is no ${path}). Make it with: ` +
    `echo "k1:$(openssl rand -base64 32),${INDEX_KEY_ID}:$(openssl rand -base64 32)"`
  )
}
