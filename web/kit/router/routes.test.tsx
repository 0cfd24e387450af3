import { describe, expect, it } from 'vitest'
import { screenList } from '#contract/screens.ts'
import { createRoutes } from '#web/app/routes.tsx'
import { createQueryClient } from '#web/wire/read.ts'
import { matchRoute } from './routes.tsx'

describe('the route of an address', () => {
  const routes = ['/', '/faq', '/desk', '/desk/chat', '/desk/*', '/*'].map((path) => ({
    path,
    components: [],
  }))

  it.each([
    ['/', '/'],
    ['/faq', '/faq'],
    ['/faq/', '/faq'],
    ['/desk', '/desk'],
    ['/desk/chat', '/desk/chat'],
    ['//', '/'],
  ])('%s has its own', (path, expected) => {
    expect(matchRoute(routes, path)?.path).toBe(expected)
  })

  it.each([
    ['/desk/lost', '/desk/*'],
    ['/desks', '/*'],
    ['/faq/more', '/*'],
  ])('%s gets the nearest fallback', (path, expected) => {
    expect(matchRoute(routes, path)?.path).toBe(expected)
  })
})

describe('the routes of the app', () => {
  const routes = createRoutes(createQueryClient())

  it.each(screenList)('show a screen at $path', ({ path }) => {
    expect(matchRoute(routes, path)?.path).toBe(path)
  })

  it('show who is not signed in only the sign-in page of the staff area', () => {
    const layouts = (path: string) => matchRoute(routes, path)?.components.length ?? 0
    expect(layouts('/admin/login')).toBeLessThan(layouts('/admin'))
    expect(layouts('/login')).toBeLessThan(layouts('/profile'))
  })
})
