/**
 * `npm run release [-- --folder FOLDER]`: makes `dist/release/unspent-VERSION-linux-ARCH.tar.gz`, which starts without npm and
 * without a network: the runtime, PostgreSQL, the built app and the packages that the server needs. With `--folder`, a folder instead.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, main, root, StartError, say } from './bootstrap.mjs'

/** The demo acts through the clients in `test`. */
const parts =
  `unspent package.json package-lock.json .env.example LICENSE README.md CHANGELOG.md Caddyfile deploy
  scripts server domain contract words brand demo docs test dist/web`.split(/\s+/)
const notNeeded = [
  /\.test\.tsx?$/,
  /^scripts\/(test|dev|release|long-tests)\.mjs$/,
  /^test\/.*\//,
  /\.d\.[cm]?ts$|\.map$/,
  /^node_modules\/node-linux-[^/]+\/(include|share)\//,
]

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
await main(async () => {
  await ensureBuilt()
  const { version } = readJson('package.json')
  const name = `unspent-${version}-${process.platform}-${process.arch}`
  const folder = values.folder ?? join(root, 'dist/release', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const packages = neededPackages()
  // The pages have the brand already, and the mails need it. A folder elsewhere must exist there too.
  const brand = process.env.BRAND_DIR?.trim()
  if (brand && !isAbsolute(brand)) parts.push(brand)
  for (const part of [...parts, ...packages.map(({ path }) => path)]) copy(part, folder)
  writeFileSync(join(folder, 'LICENSES.md'), licenses(packages))
  writeFileSync(join(folder, 'sbom.cdx.json'), await billOfMaterials(packages))
  say(values.folder ?? archive(folder))
})

/** Packages of the lock file that are not for development and fit this machine. Those inside of another come with it. */
function neededPackages() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([path, { dev }]) => path && !dev && existsSync(join(root, path)))
    .map(([path, { version, license }]) => ({
      path,
      name: path.split('node_modules/').at(-1),
      version,
      license,
    }))
}

function copy(part, folder) {
  cpSync(join(root, part), join(folder, part), {
    recursive: true,
    filter: (from) => {
      const path = from.slice(root.length + 1)
      return statSync(from).isDirectory() || !notNeeded.some((pattern) => pattern.test(path))
    },
  })
}

/** Of every part: the packages as they say it themselves, then what the pages contain. */
function licenses(packages) {
  const texts = packages.map(({ path, name, version, license }) => {
    const files = readdirSync(join(root, path)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const text = files.map((file) => readFileSync(join(root, path, file), 'utf8').trim()).join('\n\n')
    return `## ${name} - ${version} (${license})\n\n${text || 'The package comes without a license text.'}\n`
  })
  const web = readFileSync(join(root, 'dist/web/licenses.md'), 'utf8').replaceAll(/^# .*\n/gm, '')
  return `# Licenses\n\nUnspent itself: LICENSE.\n\n${texts.join('\n')}\n# What the pages contain\n${web}`
}

/** npm's own, without the packages that only build and test. */
async function billOfMaterials(packages) {
  const { status, stdout } = spawnSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  )
  if (status !== 0) throw new StartError('npm sbom failed')
  const web = readFileSync(join(root, 'dist/web/licenses.md'), 'utf8').matchAll(/^## (\S+) - (\S+) /gm)
  const kept = new Set([
    ...packages.map(({ name, version }) => `${name}@${version}`),
    ...[...web].map(([, name, version]) => `${name}@${version}`),
  ])
  const bill = JSON.parse(stdout)
  // npm takes the name of the folder.
  bill.metadata.component.name = 'unspent'
  const components = bill.components.filter(({ 'bom-ref': reference }) => kept.has(reference))
  const known = new Set([
    bill.metadata.component['bom-ref'],
    ...components.map((component) => component['bom-ref']),
  ])
  const dependencies = bill.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => known.has(on)) }))
  return JSON.stringify({ ...bill, components, dependencies }, null, 1)
}

function archive(folder) {
  const file = `${folder}.tar.gz`
  const args = [
    '--create',
    '--gzip',
    `--file=${file}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    basename(folder),
  ]
  const { status, stderr } = spawnSync('tar', args, { cwd: join(folder, '..'), encoding: 'utf8' })
  if (status !== 0) throw new StartError(`tar failed: ${stderr}`)
  return `${file} (${Math.round(statSync(file).size / 1_000_000)} MB)`
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
