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
 * The keys the secrets are sealed with: those of SECRET_KEYS, else those of the file `keys` in the data folder.
 * Undefined when the embedded database has no key file. With an external database, which may be shared or outlive the
 * folder, only the operator makes keys.
 *
 * @throws {KeySettingError} one line for the operator
 */
export async function findKeys(source: KeySource): Promise<KeyRing | undefined> {
  const { secretKeys = '', databaseIsExternal } = source
  const path = keyFileOf(source)
  if (path === undefined) return parseKeys(secretKeys.split(',').filter(isNotBlank), 'SECRET_KEYS')
  const kept = await KeyFileRing.open(path)
  if (!kept && databaseIsExternal) throw new KeySettingError(howToMakeKeys(path))
  return kept
}

/** The keys of a database that is there. Throws `KeySettingError` when there are none: other keys open nothing of it. */
export async function loadKeys(source: KeySource): Promise<KeyRing> {
  const keys = await findKeys(source)
  if (!keys) throw missingKeys(source)
  return keys
}

/** The keys, made now when there are none: for a database that has never been served. */
export async function makeKeys(source: KeySource): Promise<KeyRing> {
  const kept = await findKeys(source)
  if (kept) return kept
  await generateKeyFile(keyFileIn(source.dataDir))
  // Another process may have been faster: its keys count.
  return await loadKeys(source)
}

export function missingKeys({ dataDir }: KeySource): KeySettingError {
  return new KeySettingError(
    `There are no keys in ${keyFileIn(dataDir)}, and SECRET_KEYS is not set. Put the copy of the keys back, or set ` +
      'SECRET_KEYS as the server has it: without its keys nothing secret in this database can be read.',
  )
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
