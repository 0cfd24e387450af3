export type RefusalReason = 'not_an_image' | 'too_many_pixels' | 'too_heavy' | 'unreadable'

/** The photo itself is unacceptable. */
export class PhotoRefused extends Error {
  override name = 'PhotoRefused'
  reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(`Photo refused: ${reason}`)
    this.reason = reason
  }
}

/** Too many photos are waiting, the machine is too busy, or the server is shutting down. */
export class PhotoDecoderBusy extends Error {
  override name = 'PhotoDecoderBusy'
  /** In seconds. */
  retryAfter = 5

  constructor() {
    super('Too many photos are waiting to be decoded')
  }
}

/** The decoder processes do not start. */
export class PhotoDecoderDown extends Error {
  override name = 'PhotoDecoderDown'

  constructor(why: string) {
    super(`The photo decoder does not start: ${why}`)
  }
}

/** Photos cannot be stored or read right now: the disk is full, or the store is unreachable. */
export class PhotoStorageUnavailable extends Error {
  override name = 'PhotoStorageUnavailable'

  constructor(why: string, options?: ErrorOptions) {
    super(`The photo storage is not available: ${why}`, options)
  }
}
