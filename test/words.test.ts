import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { brands, categories } from '#domain/brands.ts'
import { namespaces, namespacesOf, readTexts } from '#words/catalogs.ts'
import { bundlesOf, type Part } from '#words/keys.ts'

/** Compares the sources with the catalogs: which texts are used, where, and which were left in the code. */

const root = join(import.meta.dirname, '..')

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

interface Source {
  readonly file: string
  readonly program: Node
  /** The keys of texts it names, with all that a template can become. */
  readonly keys: readonly string[]
  readonly imports: readonly string[]
}

const english = namespaces.flatMap((namespace) =>
  Object.keys(readTexts('en', namespace)).map((name) => `${namespace}.${name}`),
)
const KEY = new RegExp(`^(${namespaces.join('|')})\\.[\\w.*-]`)

const sources = new Map(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /^(words|domain|contract|server|web|demo)\//.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => existsSync(join(root, file)))
    .map((file) => [file, read(file)]),
)

it('every text is used', () => {
  const used = new Set([...sources.values()].flatMap(({ keys }) => keys))
  expect(english.filter((key) => !used.has(key))).toEqual([])
})

/** Where each part of the site begins. It ends where another one does. */
const starts: Readonly<Record<Part, RegExp>> = {
  visitor: /^web\/(app\/(?!build\/)|seller\/Confirmation)/,
  pages: /^web\/visitor\/pages\//,
  seller: /^web\/seller\/(?!sell-card\/(Resubmission|ExamplePhoto)|(data|notifications|profile)\/)/,
  resubmission: /^web\/seller\/sell-card\/(Resubmission|ExamplePhoto)/,
  settings: /^web\/seller\/(data|notifications|profile)\//,
  staff: /^web\/staff\//,
}

it.each(Object.keys(starts) as Part[])('only loaded texts are used: %s', (part) => {
  const loaded = new Set<string>(bundlesOf[part].flatMap(namespacesOf))
  const missing = filesOf(part).flatMap(({ file, keys }) =>
    keys.filter((key) => !loaded.has(key.slice(0, key.indexOf('.')))).map((key) => `${file}: ${key}`),
  )
  expect(missing).toEqual([])
})

describe('no text is left in the code', () => {
  const shown = [...sources.values()].filter(({ file }) => /^web\/(?!staff\/)/.test(file))
  const textsOf = (type: string, stringsOf: (node: Node) => string[]) =>
    shown.flatMap(({ file, program }) =>
      nodesOf(program, type)
        .flatMap(stringsOf)
        .filter((text) => /\p{L}{2}/u.test(text))
        .map((text) => `${file}: ${text.trim()}`),
    )

  it('in elements', () => {
    const plain = textsOf('JSXText', ({ value }) => [String(value)])
    const computed = ['JSXElement', 'JSXFragment'].flatMap((type) =>
      textsOf(type, ({ children }) => nodesIn(children).flatMap(({ expression }) => valuesOf(expression))),
    )
    expect([...plain, ...computed]).toEqual([])
  })

  it('in attributes', () => {
    const texts = textsOf('JSXAttribute', ({ name, value }) =>
      READ.test(nameOf(name)) ? valuesOf(value) : [],
    )
    expect(texts).toEqual([])
  })

  it('in objects', () => {
    const texts = textsOf('Property', ({ key, value }) => (READ.test(nameOf(key)) ? valuesOf(value) : []))
    expect(texts).toEqual([])
  })

  it('anywhere else', () => {
    expect(shown.flatMap(sentencesIn)).toEqual([])
  })

  it('in the rules', () => {
    const rules = [...sources.values()].filter(({ file }) => file.startsWith('domain/'))
    expect(rules.flatMap(sentencesIn)).toEqual([])
  })

  it('in the schemas, whose errors are codes', () => {
    const contract = [...sources.values()].filter(({ file }) => file.startsWith('contract/'))
    const messages = contract.flatMap(({ file, program }) => {
      const calls = nodesOf(program, 'CallExpression').filter(
        ({ callee }) => !/^(describe|meta)$/.test(nameOf((callee as Node).property)),
      )
      const given = calls.flatMap((call) => nodesIn(call.arguments).flatMap(valuesOf))
      const named = nodesOf(program, 'Property').flatMap(({ key, value }) =>
        /^(error|message)$/.test(nameOf(key)) ? valuesOf(value) : [],
      )
      return [...given, ...named].flatMap((text) => (SENTENCE.test(text) ? [`${file}: ${text}`] : []))
    })
    expect(messages).toEqual([])
  })
})

/** Attributes and properties that people read or hear. */
const READ =
  /^(aria-(label|description|roledescription|valuetext)|alt|title|placeholder|label|hint|description|text|message)$/
/** A capitalized word, or one that only sentences have. Class names, addresses and codes do not look like that. */
const SENTENCE =
  /^\p{Lu}[\p{Ll}’']+([ .!?…,]|$)|(^|\s)(an?|and|are|for|from|is|not|of|or|our|the|this|to|was|we|with|your?)\s/u
/** Names are the same in every language. */
const NAMES = new Set([
  ...brands.map(({ name }) => name),
  ...categories,
  'Enter',
  'Escape',
  'Bricolage Grotesque',
])
/** Files of names: of brands, browsers and systems, and of roles, which only staff read in English. */
const FILES_OF_NAMES = ['domain/brands.ts', 'domain/monogram.ts', 'domain/roles.ts']

function sentencesIn({ file, program }: Source): string[] {
  if (FILES_OF_NAMES.includes(file)) return []
  const errors = nodesOf(program, 'NewExpression').filter(({ callee }) => nameOf(callee) === 'Error')
  const logs = nodesOf(program, 'CallExpression').filter(
    ({ callee }) => nameOf((callee as Node).object) === 'console',
  )
  const forDevelopers = new Set(stringsIn([errors, logs]))
  return stringsIn(program)
    .filter((text) => SENTENCE.test(text) && !forDevelopers.has(text) && !NAMES.has(text))
    .map((text) => `${file}: ${text}`)
}

function read(file: string): Source {
  const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  if (errors.length > 0) throw new Error(`${file} does not parse`)
  const tree = program as unknown as Node
  return {
    file,
    program: tree,
    keys: stringsIn(tree).flatMap(keysOf),
    imports: importsOf(file, tree),
  }
}

/** The keys that a string of the code is, can become (`fields.*`), or begins (`mail.welcome`). */
function keysOf(text: string): string[] {
  if (!KEY.test(text)) return []
  const pattern = new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '.+')}(\\..+)?$`)
  return english.includes(text) ? [text] : english.filter((key) => pattern.test(key))
}

/** The files of a part of the site, with what they import. */
function filesOf(part: Part): Source[] {
  const others = Object.values(starts).filter((start) => start !== starts[part])
  const found = new Set([...sources.keys()].filter((file) => starts[part].test(file)))
  // A set also visits what is added meanwhile.
  for (const file of found) {
    for (const to of sources.get(file)?.imports ?? []) {
      if (/^(web|words)\//.test(to) && !others.some((start) => start.test(to))) found.add(to)
    }
  }
  expect(found.size).toBeGreaterThan(5)
  return [...found].flatMap((file) => sources.get(file) ?? [])
}

function importsOf(file: string, program: Node): string[] {
  const declared = [...nodesOf(program, 'ImportDeclaration'), ...nodesOf(program, 'ExportNamedDeclaration')]
  const typed = (node: Node) => node.importKind === 'type' || node.exportKind === 'type'
  return [...declared.filter((node) => !typed(node)), ...nodesOf(program, 'ImportExpression')]
    .map(({ source }) => (source as Node | null)?.value)
    .filter((name) => typeof name === 'string')
    .map((name) => resolve(file, name))
}

function resolve(file: string, name: string): string {
  return name.startsWith('#') ? name.slice(1) : normalize(join(dirname(file), name))
}

/** The strings that an expression can have as its value, unless they are keys. */
function valuesOf(expression: unknown): string[] {
  const { type, ...node } = (expression ?? {}) as Node
  switch (type) {
    case 'Literal':
    case 'TemplateLiteral':
      return stringsIn(expression).filter((text) => !KEY.test(text))
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return valuesOf(node.expression)
    case 'ConditionalExpression':
      return [...valuesOf(node.consequent), ...valuesOf(node.alternate)]
    case 'LogicalExpression':
    case 'BinaryExpression':
      return /[<>=]/.test(String(node.operator)) ? [] : [...valuesOf(node.left), ...valuesOf(node.right)]
    default:
      return []
  }
}

/** Every string and template below a node. What a template inserts is `*`. */
function stringsIn(tree: unknown): string[] {
  const literals = nodesOf(tree, 'Literal').flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  const templates = nodesOf(tree, 'TemplateLiteral').map(({ quasis }) =>
    nodesIn(quasis)
      .map(({ value }) => (value as { cooked: string }).cooked)
      .join('*'),
  )
  return [...literals, ...templates]
}

function nodesOf(tree: unknown, type: string): Node[] {
  if (Array.isArray(tree)) return tree.flatMap((item) => nodesOf(item, type))
  if (typeof tree !== 'object' || tree === null) return []
  const inside = Object.values(tree).flatMap((item) => nodesOf(item, type))
  return (tree as Node).type === type ? [tree as Node, ...inside] : inside
}

function nodesIn(list: unknown): Node[] {
  return list as Node[]
}

function nameOf(node: unknown): string {
  const { name = '' } = (node ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : ''
}
