/** `--import` this to set a server's wall clock ahead by CLOCK_AHEAD_MS. Timers and the monotonic clock are unchanged. */
const ahead = Number(process.env.CLOCK_AHEAD_MS)
const right = Date

globalThis.Date = new Proxy(right, {
  construct: (_, given, as) => Reflect.construct(right, given.length > 0 ? given : [right.now() + ahead], as),
  get: (target, name) => (name === 'now' ? () => right.now() + ahead : Reflect.get(target, name)),
})
