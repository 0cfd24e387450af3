/** What the server and whoever builds the pages have to know of a screen. */
export interface Screen {
  /** Who it is made for. Everybody is sent it: what it shows then is checked call by call. */
  readonly audience: 'anyone' | 'seller' | 'staff'
  /** Whether its first content is the same for everybody, so that it is made when the app is built. */
  readonly prerendered: boolean
  /** Whether search engines may show it. */
  readonly indexed: boolean
}

const page: Screen = { audience: 'anyone', prerendered: true, indexed: true }
/** The same for everybody, and nothing to look for. */
const quiet: Screen = { audience: 'anyone', prerendered: true, indexed: false }
/** Shows what its address says. */
const personal: Screen = { audience: 'anyone', prerendered: false, indexed: false }
const seller: Screen = { audience: 'seller', prerendered: false, indexed: false }
const staff: Screen = { audience: 'staff', prerendered: false, indexed: false }

/** The addresses of the screens; the server answers any other one with the 404 page. */
export const screens = {
  '/': page,
  '/get-quote': page,
  '/quote': quiet,
  '/terms': page,
  '/privacy': page,
  '/security': page,
  '/help': page,
  '/faq': page,
  '/contact': page,
  '/contact/chat': personal,
  '/login': page,
  '/register': page,
  '/forgot-password': quiet,
  '/reset-password': personal,
  '/restore-email': personal,
  '/confirm-email': personal,
  '/confirmation': personal,
  '/sell-card': seller,
  '/transactions': seller,
  '/processing': seller,
  '/profile': seller,
  '/admin': staff,
  '/admin/login': staff,
  '/admin/chat': staff,
  '/admin/brands': staff,
  '/admin/audit': staff,
  '/admin/security': staff,
} as const satisfies Record<`/${string}`, Screen>

export type ScreenPath = keyof typeof screens

/** Every screen with its address. */
export const screenList: readonly (Screen & { readonly path: ScreenPath })[] = Object.entries(screens).map(
  ([path, screen]) => ({ path: path as ScreenPath, ...screen }),
)

/** The files that a build makes of the screens. */
export const pageFiles = {
  /** The head and the layout around a screen that only the browser can render. */
  site: 'site.html',
  /** Nothing but the head: staff's area has its own layout. For addresses of it that nothing stands at. */
  staff: 'staff.html',
  notFound: '404.html',
} as const

/** The file of the page that describes the calls; it is no screen of the app, and has no script. */
export const API_PAGE = 'api-docs.html'

/** The file that is sent for a screen. */
export function pageFileOf(path: ScreenPath): string {
  const { prerendered, audience } = screens[path]
  if (path === '/') return 'index.html'
  // Staff's have a head of their own: it names the scripts of the screen.
  const hasOwn = prerendered || audience === 'staff'
  return hasOwn ? `${path.slice(1).replaceAll('/', '-')}.html` : pageFiles.site
}

/** Stands in a page for the origin of the site, which only the running server knows. */
export const ORIGIN_MARK = '{{origin}}'
