import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { operator } from '#test/operator.ts'
import { newDataDir } from '#test/server-process.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { checkFolder } from './check-folder.ts'
import { startLoad } from './load.ts'
import { Shop, until } from './shop.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

async function newFolder(): Promise<string> {
  const folder = await newDataDir()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function openShop(dataDir: string): Promise<Shop> {
  const shop = await Shop.open({ DATA_DIR: dataDir })
  onTestFinished(() => shop.close())
  return shop
}

it(
  'restores a backup made under load with everything acknowledged before it, and work continues',
  async () => {
    report(`backup: FAULTS_SEED=${seed}`)
    const [dataDir, fresh] = [await newFolder(), await newFolder()]
    const aside = await mkdtemp(join(tmpdir(), 'unspent-acks-'))
    onTestFinished(() => rm(aside, { recursive: true, force: true }))
    const acknowledgements = new Acknowledgements(join(aside, 'before'))
    const shop = await openShop(dataDir)
    const load = await startLoad({ url: shop.url, acknowledgements, sellers: 4, staff: 2, seed })
    await until(() => acknowledgements.all.length >= sizes.backupAcknowledgements)
    const promised = [...acknowledgements.all]
    await operator(dataDir, 'backup', join(aside, 'shop.backup'))
    const during = acknowledgements.all.length - promised.length
    await load.stop()
    expect(load.wrong).toEqual([])
    await shop.close()

    await operator(fresh, 'restore', join(aside, 'shop.backup'))
    const restored = await openShop(fresh)
    await operator(fresh, 'payouts', 'resume')
    const after = new Acknowledgements(join(aside, 'after'))
    for (const acknowledgement of promised) after.add(acknowledgement)
    await checkFolder(fresh, after)

    const people = seed + 1
    const next = await startLoad({
      url: restored.url,
      acknowledgements: after,
      sellers: 2,
      staff: 2,
      seed: people,
    })
    await until(() => after.all.length > promised.length + 20)
    await next.stop()
    expect(next.wrong).toEqual([])
    await checkFolder(fresh, after)
    report(`backup: ${promised.length} acknowledgements before it, ${during} while it was made, 0 lost`)
  },
  timeoutFor(6),
)
