/** What holds for every call, and a client has to know before the first one. Text, with `code` in it. */
export const guide: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'Sessions',
    text: 'Sellers and staff sign in apart, each with a cookie of their own: keep the cookies that an answer sets, and send them along. A browser does so by itself. There are no keys and no tokens. Signed out, a call is answered 401 `signed_out`.',
  },
  {
    title: 'Bodies',
    text: 'Bodies are JSON in UTF-8, and `multipart/form-data` where photos go along. Names are camelCase, times are ISO 8601 in UTC, ids are UUIDs. Money and percentages are answered as text with two places, `"93.00"`, and taken as text or as a number. Unknown fields are ignored; new ones may appear in answers.',
  },
  {
    title: 'Refusals',
    text: 'Every refusal has the same body: a `message` for the person, a `code` for the program, and in `errors` the first fault of each field. Any call can be answered 500 `internal` or 503 `busy`. The header `X-Request-Id` of an answer finds it in the log of the server.',
  },
  {
    title: 'Lists',
    text: 'Lists are arrays, the newest first. Those that grow take `limit` and `cursor`, say in `X-Total-Count` how many there are, and name the next page in `Link: <…>; rel="next"`. Where that header is missing, the list has ended.',
  },
  {
    title: 'Limits',
    text: 'Calls are counted for each signed-in person, else for each address. One too many is answered 429 `too_many_requests`, with the seconds to wait in `Retry-After`.',
  },
  {
    title: 'Once and not twice',
    text: 'A submission takes an `Idempotency-Key`, a chat message a `clientId`. Sent again with the same one, the first result is answered, with 200 and not 201. Changes of a status take the `version` that they were decided on, and are refused when it is no longer the current one.',
  },
  {
    title: 'Other sites',
    text: 'A browser that sends a change from another site is refused, 403 `cross_site`, by `Sec-Fetch-Site` or `Origin`. A program sends neither of these headers and needs no other.',
  },
]

/** The same in Markdown. */
export function guideText(): string {
  return guide.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')
}
