import { describe, expect, it } from 'vitest'
import { screenList } from '#contract/screens.ts'
import { createRoutes } from '#web/app/routes.tsx'
import { createQueryClient } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { matchRoutes, type Route } from './match.ts'

const table: Route[] = [
  {
    children: [
      { path: '/' },
      { path: '/faq' },
      { path: '/desk', children: [{ path: '/desk/chat' }, { children: [{ index: true }] }, { path: '*' }] },
      { path: '*' },
    ],
  },
]
const leaf = (path: string) => matchRoutes(table, path).at(-1)

describe('the screen of an address', () => {
  it.each([
    ['/', { path: '/' }],
    ['/faq', { path: '/faq' }],
    ['/faq/', { path: '/faq' }],
    ['/desk', { index: true }],
    ['/desk/chat', { path: '/desk/chat' }],
  ])('%s has its own', (path, route) => {
    expect(leaf(path)).toEqual(route)
  })

  it('is the nearest one for the rest, where there is none', () => {
    expect(matchRoutes(table, '/desk/lost').map(({ path }) => path)).toEqual([undefined, '/desk', '*'])
    expect(matchRoutes(table, '/desks').map(({ path }) => path)).toEqual([undefined, '*'])
    expect(matchRoutes(table, '/faq/more').map(({ path }) => path)).toEqual([undefined, '*'])
    expect(matchRoutes(table, '//').map(({ path }) => path)).toEqual([undefined, '/'])
  })

  it('comes with the layouts it stands in, from the outermost on', () => {
    expect(matchRoutes(table, '/desk').map(({ path }) => path)).toEqual([
      undefined,
      '/desk',
      undefined,
      undefined,
    ])
  })
})

describe('the table of contents', () => {
  const routes = createRoutes(createQueryClient())

  it.each(screenList)('$path, which the server knows, has a screen', ({ path }) => {
    const match = matchRoutes(routes, path)
    expect(match.length).toBeGreaterThan(0)
    expect(match.at(-1)?.path).not.toBe('*')
  })

  it('is linked to by every path and no other', () => {
    expect(new Set(Object.values(paths))).toEqual(new Set(screenList.map(({ path }) => path)))
  })
})
