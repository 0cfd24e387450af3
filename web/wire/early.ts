/** What early/staff.js has asked for before the app was there. */
const answers = (globalThis as { unspentEarly?: Map<string, Promise<Response>> }).unspentEarly

/** The answer to a GET of this address that is on its way already; only the first to ask has it. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const answer = answers?.get(address)
  answers?.delete(address)
  return answer
}

/** For whoever signs in now, these answers were not meant. */
export function forgetEarly(): void {
  answers?.clear()
}
