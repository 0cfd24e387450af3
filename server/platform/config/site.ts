/** How the product presents itself. */
export interface Site {
  readonly productName: string
  /** The origin in mails: PUBLIC_URL, or where the server listens once it does. */
  publicUrl: string
  /** The only origin that requests may come from; undefined: wherever the request was sent to. */
  readonly allowedOrigin: string | undefined
  /** Whether replies to our mails are read. */
  readonly repliesAreRead?: boolean
  readonly supportEmail?: string | undefined
  /** Settings with contact details that are not set yet. */
  readonly unsetContacts?: readonly string[]
  /** Whether people reach the site over https. */
  readonly https: boolean
  /** Whether browsers are to use https for every name below this host too; false if unset. */
  readonly hstsSubdomains?: boolean
  /** Whether everything here is invented (npm run demo). */
  readonly isDemo?: boolean
  /** Usernames that see the Admin Dashboard shortcut and that nobody can register, in lower case. */
  readonly adminUsernames: ReadonlySet<string>
}
